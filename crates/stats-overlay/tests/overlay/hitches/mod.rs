//! What the overlay says of hitches: the list and the card.

mod card;
mod hitches;
mod pictures;
pub(crate) mod planted;
mod rows;
