//! Correct programs under load.

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::mpsc;
use std::thread;

use crate::child::Case;
use crate::child::End::Well;

pub(crate) const ALL: &[Case] = &[
    ("threads that come and go", threads, Well),
    ("a zeroed vector is not resident", zeroed, Well),
    #[cfg(unix)]
    ("a fork continues, and is guarded", fork, Well),
];

/// Returns the resident bytes of the process, if the system reports them.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(status.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

fn zeroed() {
    let before = resident_bytes();
    let zeroed = black_box(vec![0_u8; 64 << 20]);
    assert_eq!(zeroed[1 << 20], 0);
    let taken = resident_bytes()
        .zip(before)
        .map_or(0, |(now, before)| now - before);
    assert!(taken < 1 << 20, "{taken}");
}

#[cfg(unix)]
fn fork() {
    let held = black_box(vec![String::from("the parent's"); 100]);
    // SAFETY: there is no other thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let more = black_box(held.iter().map(|text| text.repeat(2)).collect::<Vec<_>>());
        drop(held);
        assert!(
            thread::spawn(move || more.iter().all(|text| text == "the parent'sthe parent's"))
                .join()
                .unwrap()
        );
        let gone = black_box(vec![0_u8; 4096]);
        let freed = gone.as_ptr();
        drop(gone);
        // SAFETY: none. That is what is tested, without a message.
        unsafe {
            libc::close(libc::STDERR_FILENO);
            freed.read_volatile();
            libc::_exit(0);
        }
    }
    let mut status = 0;
    // SAFETY: the status outlives the call.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(
        libc::WIFSIGNALED(status)
            && [libc::SIGSEGV, libc::SIGBUS].contains(&libc::WTERMSIG(status)),
        "{status}"
    );
    // The child's work does not affect the parent.
    assert!(held.iter().all(|text| text == "the parent's"));
}

/// Allocates and frees in its destructor.
struct Late(RefCell<Vec<String>>);

impl Drop for Late {
    fn drop(&mut self) {
        self.0.borrow_mut().push(black_box("late".repeat(20)));
    }
}

thread_local!(static LATE: Late = const { Late(RefCell::new(Vec::new())) });

fn threads() {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    let freeing = thread::spawn(move || receiver.iter().map(|bytes| bytes.len()).sum::<usize>());
    for round in 0..100 {
        let threads: Vec<_> = (0..8)
            .map(|thread| (sender.clone(), thread))
            .map(|(sender, number)| {
                thread::Builder::new()
                    .name(format!("thread {number}"))
                    .spawn(move || {
                        LATE.with(|late| late.0.borrow_mut().push("early".repeat(15)));
                        for size in 1..30 {
                            sender.send(vec![number; size * 37 + round]).unwrap();
                        }
                    })
            })
            .collect();
        threads
            .into_iter()
            .for_each(|thread| thread.unwrap().join().unwrap());
    }
    drop(sender);
    assert_eq!(
        freeing.join().unwrap(),
        8 * (0..100)
            .map(|round| (1..30).map(|size| size * 37 + round).sum::<usize>())
            .sum::<usize>()
    );
}
