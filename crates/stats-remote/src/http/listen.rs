//! Opens the ports.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener};

/// The number of ports that are tried, from the given one on.
pub(crate) const PORTS: u16 = 10;

/// Listens on an address, and for a loopback address on that of the other protocol, too.
pub(crate) fn listen(address: IpAddr, port: u16) -> io::Result<Vec<TcpListener>> {
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    // The system's choice for the first protocol may be taken for the other: it chooses again.
    let nth = |n| match port {
        0 => Some(0),
        port => port.checked_add(n),
    };
    for port in (0..PORTS).filter_map(nth) {
        let listeners = TcpListener::bind((address, port)).and_then(|first| {
            first.set_nonblocking(true)?;
            let port = first.local_addr()?.port();
            let other: IpAddr = match address {
                IpAddr::V4(Ipv4Addr::LOCALHOST) => Ipv6Addr::LOCALHOST.into(),
                IpAddr::V6(Ipv6Addr::LOCALHOST) => Ipv4Addr::LOCALHOST.into(),
                _ => return Ok(vec![first]),
            };
            match TcpListener::bind((other, port)) {
                Ok(second) => {
                    second.set_nonblocking(true)?;
                    Ok(vec![first, second])
                }
                // Another program has the port there, and would get some of the viewers.
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
                // A machine without this protocol.
                Err(_) => Ok(vec![first]),
            }
        });
        match listeners {
            Ok(listeners) => return Ok(listeners),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Returns the address by which this machine reaches itself.
pub(crate) fn shown(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}
