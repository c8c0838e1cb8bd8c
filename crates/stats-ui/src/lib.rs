//! TODO

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod accessibility;
pub mod icons;
pub mod palette;
pub mod pointer;
pub mod shapes;
pub mod sort_key;
pub mod text;
pub mod theme;
pub mod tree;
