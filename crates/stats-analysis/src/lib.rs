//! TODO

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod axis;
pub mod buckets;
pub mod distribution;
pub mod format;
pub mod pace;
pub mod pyramid;
pub mod range_statistics;
pub mod spike;
pub mod spikes;
pub mod stack;
pub mod track;
