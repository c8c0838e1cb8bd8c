//! What a window shows: one game, or several.

use stats_core::{SeriesId, Source};
use stats_remote::{RemoteAddress, RemoteSource};

use super::joined::Joined;
use crate::failure::Failure;

/// How an argument begins that names a game.
const SCHEME: &str = "stats://";

/// Returns whether an argument is meant to be the address of a game.
pub(in crate::view) fn is_address(argument: &str) -> bool {
    argument.starts_with(SCHEME)
}

/// Reads the argument that names a game.
pub(in crate::view) fn address(argument: &str) -> Result<RemoteAddress, Failure> {
    let address = argument.parse::<RemoteAddress>();
    address.map_err(|error| Failure::Usage(error.to_string()))
}

/// The running games of a window.
pub(in crate::view) enum Games {
    One(Box<RemoteSource>),
    Several(Box<Joined<RemoteSource>>),
}

impl Games {
    /// Connects to the games that arguments name, the first of which has the axis.
    pub(in crate::view) fn connect(arguments: &[String]) -> Result<Self, Failure> {
        let mut games = Vec::new();
        for argument in arguments {
            let game = RemoteSource::connect(&address(argument)?);
            games.push(game.map_err(|error| Failure::Game(error.to_string()))?);
        }
        if games.len() == 1
            && let Some(game) = games.pop()
        {
            return Ok(Self::One(Box::new(game)));
        }
        let named = games.into_iter();
        let named = named.map(|game| (game.status().program.clone(), game));
        Ok(Self::Several(Box::new(Joined::new(named.collect()))))
    }

    /// Takes in what arrived.
    pub(in crate::view) fn pump(&mut self) {
        match self {
            Self::One(game) => game.pump(),
            Self::Several(games) => games.pump(),
        }
    }

    pub(in crate::view) fn source(&self) -> &dyn Source {
        match self {
            Self::One(game) => &**game,
            Self::Several(games) => &**games,
        }
    }

    pub(in crate::view) fn source_mut(&mut self) -> &mut dyn Source {
        match self {
            Self::One(game) => &mut **game,
            Self::Several(games) => &mut **games,
        }
    }

    pub(in crate::view) fn all(&self) -> &[RemoteSource] {
        match self {
            Self::One(game) => std::slice::from_ref(game),
            Self::Several(games) => &games.games,
        }
    }

    /// Returns a function to the game that has a series.
    pub(in crate::view) fn game_of(&self) -> impl Fn(SeriesId) -> usize + use<> {
        let games = self.all().len();
        move |id| super::joined::game_of(id, games)
    }

    /// Returns the names of the programs.
    pub(in crate::view) fn program(&self) -> String {
        match self {
            Self::One(game) => game.status().program.clone(),
            Self::Several(games) => games.names().join(" + "),
        }
    }

    /// Says how well the window follows the games.
    pub(in crate::view) fn said(&self) -> String {
        match self {
            Self::One(game) => game.status().to_string(),
            Self::Several(games) => {
                let of_each = games.names().iter().zip(&games.games);
                let of_each = of_each.map(|(name, game)| format!("; {name}: {}", game.status()));
                games.clocks()
                    + "; hitches and activity of "
                    + &games.names()[0]
                    + &of_each.collect::<String>()
            }
        }
    }

    /// Returns the series to show at first, instead of the frame time.
    pub(in crate::view) fn first_selected(&self) -> Vec<String> {
        match self {
            Self::One(_) => Vec::new(),
            Self::Several(games) => {
                let games = &**games;
                (0..games.games.len())
                    .map(|game| games.frame_time_of(game))
                    .collect()
            }
        }
    }
}
