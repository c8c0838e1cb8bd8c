//! The tree of series: its rows, its search, and the series in it.

mod formulas;
mod rows;
mod scope_menu;
mod search;
mod search_words;
mod teams;
mod tree;
mod unavailable;
