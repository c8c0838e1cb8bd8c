//! The requests of browsers and viewers: [`head`] reads one, and [`hosts`] has the rules that each
//! passes. [`listen`](mod@listen) opens the ports.

pub(crate) mod head;
mod hosts;
pub(crate) mod listen;

pub(crate) use hosts::Rules;
