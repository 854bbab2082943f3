//! Everything that is limited, in one place: what a visitor can ask for, and what all together can.
//!
//! The limits are chosen so that a hostile rulesheet or a few hundred clients cost patience, never the
//! machine. `docs/web.md` has what was measured with them.

use std::time::Duration;

/// What visitors can ask for.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a pasted rulesheet, and of a level.
    pub rules_bytes: usize,
    /// Bytes of any other request.
    pub request_bytes: usize,
    /// Bytes of a record to replay, or of a request for a match that begins after moves.
    pub record_bytes: usize,
    /// Steps of a board game; ticks of a video game.
    pub steps: usize,
    /// Pasted games that are kept, for each visitor and in all.
    pub own_games: (usize, usize),
    /// Matches that are kept, for each visitor and in all.
    pub matches: (usize, usize),
    /// Matches without a visitor for so long are dropped.
    pub match_idle: Duration,
    /// When all matches of a visitor are taken, or all there can be, one without a visitor for so long
    /// makes room.
    pub match_evictable: (Duration, Duration),
    /// Where there is no place left, a match that is only watched, without any other request for so long,
    /// makes room.
    pub match_quiet: Duration,
    /// Different games set up at the same time, and how many of them may be pasted ones.
    pub rooms: (usize, usize),
    /// The same for those that one visitor has opened.
    pub rooms_each: (usize, usize),
    /// How long it may take to set a game up; a pasted game.
    pub setup_time: (Duration, Duration),
    /// Searches that wait; a visitor has as many as there are roles in the visitor's matches.
    pub searches: usize,
    /// Searches that run.
    pub search_threads: usize,
    /// The longest time an agent may think about a move.
    pub clock: Duration,
    /// How long a search may go on after its time before it is stopped by force.
    pub search_grace: Duration,
    /// Megabytes of a search's tree.
    pub tree_megabytes: f64,
    /// Agents of all matches together that remember what they searched, tree and all.
    pub minds: usize,
    /// Agents forget a match without a visitor after so long.
    pub mind_idle: Duration,
    /// Nodes of a tree that are kept for people to look at.
    pub tree_nodes: usize,
    /// Small pieces of work that wait.
    pub quick_queue: usize,
    /// Drawings of the gallery and pages of experiments that wait.
    pub browsing_queue: usize,
    /// Games whose setting up waits.
    pub setup_queue: usize,
    /// How long to wait for a game's network before play starts with the prover; for a pasted game's.
    pub network_patience: (Duration, Duration),
    /// Bytes for a game's network; for a pasted game's.
    pub network_bytes: (usize, usize),
    /// Elementary steps of one question to a pasted game's rules.
    pub prover_work: u64,
    /// Bytes of remembered answers about a pasted game's rules.
    pub prover_bytes: usize,
    /// Connections at a time, of one address elsewhere and in all; a process may have about a thousand
    /// files open.
    pub connections: (usize, usize),
    /// How long a client may take to send the head of a request.
    pub request_time: Duration,
    /// How long a request may take until its answer begins.
    pub answer_time: Duration,
    /// Clients that listen to live events, for each visitor and in all.
    pub listeners: (usize, usize),
    /// Moves listed for one role. Of more the first are.
    pub listed_moves: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            rules_bytes: 256_000,
            request_bytes: 16 << 10,
            record_bytes: 4 << 20,
            steps: 3000,
            own_games: (8, 48),
            matches: (12, 400),
            match_idle: Duration::from_secs(30 * 60),
            match_evictable: (Duration::from_secs(5), Duration::from_secs(2 * 60)),
            match_quiet: Duration::from_secs(60),
            rooms: (24, 6),
            rooms_each: (12, 3),
            setup_time: (Duration::from_secs(55), Duration::from_secs(15)),
            searches: 64,
            search_threads: cores,
            clock: Duration::from_secs(30),
            search_grace: Duration::from_secs(2),
            tree_megabytes: 48.0,
            minds: 12,
            mind_idle: Duration::from_secs(60),
            tree_nodes: 600,
            quick_queue: 512,
            browsing_queue: 512,
            setup_queue: 32,
            network_patience: (Duration::from_secs(8), Duration::from_secs(3)),
            network_bytes: (256 << 20, 64 << 20),
            prover_work: 10_000_000,
            prover_bytes: 48 << 20,
            connections: (200, 900),
            request_time: Duration::from_secs(15),
            answer_time: Duration::from_secs(60),
            listeners: (60, 600),
            listed_moves: 5000,
        }
    }
}
