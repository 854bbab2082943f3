//! Settings that have no effect in a game, and why.
//!
//! Settings that exclude each other are refused when a search is made. What is here lies in the game, in its
//! reasoner, or in a default that gives way to a setting.

use gamegrove_game::Game;
use gamegrove_settings::Value;

use crate::core::{Core, Strategies};
use crate::search::Search;
use crate::settings::Reuse;
use crate::trace::Needs;

/// A setting that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEffect {
    /// The setting, such as `best_line=true`.
    pub setting: String,
    /// Why.
    pub reason: &'static str,
}

/// Settings that say how lanes are used.
const OF_LANES: [&str; 6] =
    ["lanes", "flight_share", "counted_share", "virtual_loss", "lanes_from", "lanes_gain"];

impl<G: Game> Search<G> {
    /// Why the parts of this search cannot play out on lanes, if they cannot.
    pub(crate) fn no_lanes(&self) -> Option<&'static str> {
        let Core { settings, strategies, learned, .. } = &self.known.core;
        let Strategies { cutoff, tactic, needs, .. } = strategies;
        let Needs { features, types, own_types, .. } = *needs;
        let reasons = [
            (settings.open_loop, "states that are played anew are not on lanes"),
            (settings.expansions < u64::MAX, "with `expansions` states are counted one at a time"),
            (
                settings.shares_tree && settings.threads > 1,
                "threads that share a tree search one state at a time",
            ),
            (cutoff.is_some(), "lanes do not ask whether a play-out should end early (`cutoff`)"),
            (tactic.is_some(), "lanes do not look ahead (`tactic`)"),
            (learned.best_line.is_some(), "lanes do not remember lines (`best_line`)"),
            (features, "a strategy looks at the facts of states, which lanes do not list"),
            (types || own_types, "a strategy looks at types of moves, which lanes do not know"),
            (!settings.lanes, "`lanes=false`"),
        ];
        reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
    }

    /// The given settings that have no effect in this game; `lanes` says whether the search was given lanes.
    /// Lanes that are on by default are named too if a strategy cannot use them.
    pub fn without_effect(&mut self, lanes: bool) -> Vec<NoEffect> {
        let mut found = Vec::new();
        let no_lanes = self.no_lanes();
        let reason = if lanes { None } else { no_lanes.or(Some("this reasoner has no lanes")) };
        let has_batches = self.worker.game.batches().is_some();
        let settings = &self.known.core.settings;
        let roles = self.known.core.run.roles;
        for (key, value) in &self.given.options {
            let reason = match key.as_str() {
                "best_line" if roles > 1 => Some("it is for games of one role"),
                "simultaneous" if roles == 1 => Some("the game has one role"),
                "parallel" if settings.threads == 1 => Some("there is one thread"),
                "keep_steps" if settings.reuse != Reuse::Graph => Some("it is for `reuse=graph`"),
                "device" if !has_batches => Some("no device answers for this game"),
                "lanes" if *value != Value::Flag(true) => None,
                "leaf_playouts" | "spare_playouts" if has_batches => None,
                key if OF_LANES.contains(&key) || key.ends_with("_playouts") => reason,
                _ => None,
            };
            if let Some(reason) = reason {
                found.push(NoEffect { setting: format!("{key}={value}"), reason });
            }
        }
        if let Some(reason) = no_lanes
            && settings.lanes
            && self.given.get("lanes").is_none()
        {
            found.push(NoEffect { setting: "lanes=true".to_owned(), reason });
        }
        found
    }
}
