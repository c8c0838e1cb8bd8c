//! The connection to a game by a WebSocket of a browser. It connects again when it is lost.
//!
//! A browser has no threads and waits for nothing: what happens to a socket calls a function, which
//! keeps it for the next frame. While a page is hidden, it draws no frames, and reads nothing. The game
//! then sends no more than the blocks that are not acknowledged.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::js_sys::{ArrayBuffer, Function, Uint8Array};
use web_sys::{BinaryType, MessageEvent, WebSocket};

use super::Instant;
use super::link::{ConnectError, Conversation, Event, again_after};
use crate::address::RemoteAddress;
use crate::wire::to_game::{Hello, ToGame};
use crate::wire::to_viewer::MAX_MESSAGE;

/// The most bytes that wait for the next frame. A game has at most half of it on the way.
const MAX_WAITING: usize = 32 << 20;

/// A connection, or the attempt to get one again, until it is dropped.
pub(super) struct Link {
    address: RemoteAddress,
    state: RefCell<State>,
}

enum State {
    /// Connects at this time.
    Waiting(Instant),
    Open(Socket),
}

impl Link {
    pub(super) fn start(address: RemoteAddress) -> io::Result<Self> {
        let state = RefCell::new(State::Waiting(Instant::now()));
        Ok(Self { address, state })
    }

    /// Returns the next event. A browser cannot wait for it.
    pub(super) fn next(&self, _wait: Duration) -> Option<Event> {
        let state = &mut *self.state.borrow_mut();
        let next = match state {
            State::Waiting(until) if Instant::now() < *until => return None,
            State::Waiting(_) => Socket::open(&self.address).map(|socket| {
                *state = State::Open(socket);
                None
            }),
            State::Open(socket) => socket.next(),
        };
        next.unwrap_or_else(|error| {
            *state = State::Waiting(Instant::now() + again_after(&error));
            Some(Event::Ended(error))
        })
    }

    /// Sends a message, if there is a connection.
    pub(super) fn send(&self, message: ToGame) {
        if let State::Open(socket) = &*self.state.borrow()
            && socket.conversation.is_welcome
        {
            socket.send(&message);
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").finish_non_exhaustive()
    }
}

struct Socket {
    socket: WebSocket,
    arrived: Rc<RefCell<Arrived>>,
    conversation: Conversation,
    address: RemoteAddress,
    /// The browser calls them until the socket is dropped.
    _on_open: Closure<dyn FnMut()>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_close: Closure<dyn FnMut()>,
}

/// What happened since the last frame.
#[derive(Default)]
struct Arrived {
    messages: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Whether the socket opened, and the greeting is to be sent.
    is_open: bool,
    is_closed: bool,
}

impl Arrived {
    fn add(&mut self, event: &MessageEvent) {
        // A message of text is none of the protocol, as are no bytes.
        let data = event.data().dyn_into::<ArrayBuffer>().ok();
        let len = data.as_ref().map_or(0, |data| data.byte_length() as usize);
        if len > MAX_MESSAGE || self.bytes + len > MAX_WAITING {
            self.is_closed = true;
        }
        if self.is_closed {
            return;
        }
        self.bytes += len;
        let bytes = data.map(|data| Uint8Array::new(&data).to_vec());
        self.messages.push_back(bytes.unwrap_or_default());
    }
}

impl Socket {
    fn open(address: &RemoteAddress) -> Result<Self, ConnectError> {
        let authority = address.authority();
        let opened = WebSocket::new(&format!("ws://{authority}/"));
        let socket = opened.map_err(|error| {
            let why = error.as_string();
            let why = why.unwrap_or_else(|| "the browser does not connect".to_owned());
            ConnectError::NoAnswer(authority.clone(), why)
        })?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let arrived = Rc::new(RefCell::new(Arrived::default()));
        let of_open = Rc::clone(&arrived);
        let on_open = Closure::<dyn FnMut()>::new(move || of_open.borrow_mut().is_open = true);
        let of_message = Rc::clone(&arrived);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event| {
            of_message.borrow_mut().add(&event);
        });
        let of_close = Rc::clone(&arrived);
        let on_close = Closure::<dyn FnMut()>::new(move || of_close.borrow_mut().is_closed = true);
        socket.set_onopen(Some(function(on_open.as_ref())));
        socket.set_onmessage(Some(function(on_message.as_ref())));
        socket.set_onclose(Some(function(on_close.as_ref())));
        Ok(Self {
            socket,
            arrived,
            conversation: Conversation::new(authority),
            address: address.clone(),
            _on_open: on_open,
            _on_message: on_message,
            _on_close: on_close,
        })
    }

    fn next(&mut self) -> Result<Option<Event>, ConnectError> {
        let mut arrived = self.arrived.borrow_mut();
        if std::mem::take(&mut arrived.is_open) {
            let hello = Hello::new(self.address.token, "a browser", self.address.is_rounded);
            self.send(&ToGame::Hello(hello));
        }
        if let Some(message) = arrived.messages.pop_front() {
            arrived.bytes -= message.len();
            return self.conversation.hear(&message).map(Some);
        }
        let is_closed = arrived.is_closed;
        drop(arrived);
        if is_closed || self.conversation.is_silent() {
            return Err(match self.conversation.is_welcome {
                true => ConnectError::Lost,
                false => {
                    let why = "the browser does not say why".to_owned();
                    ConnectError::NoAnswer(self.address.authority(), why)
                }
            });
        }
        if let Some(ping) = self.conversation.ping() {
            self.send(&ping);
        }
        Ok(None)
    }

    fn send(&self, message: &ToGame) {
        // A socket that closes says so by its function.
        let _ = self.socket.send_with_u8_array(&message.encode());
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close();
    }
}

fn function(closure: &JsValue) -> &Function {
    closure.unchecked_ref()
}
