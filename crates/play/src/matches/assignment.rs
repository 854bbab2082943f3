//! Who plays which role [Sironi 2019, 5.3.2].

/// All assignments of `agents` to `roles` that let agents be compared: entry `r` of an assignment is
/// the agent of role `r`.
///
/// Two agents: all mixed assignments, `2^roles - 2` of them. More agents than two: all in which as
/// many agents meet as there are roles for. With one role or one agent nobody meets anybody, and
/// each plays by itself.
pub fn assignments(agents: usize, roles: usize) -> Vec<Vec<usize>> {
    if roles == 1 || agents == 1 {
        return (0..agents).map(|agent| vec![agent; roles]).collect();
    }
    let wanted = agents.min(roles);
    let mut found = Vec::new();
    let mut current = vec![0; roles];
    loop {
        let mut seen = current.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == wanted {
            found.push(current.clone());
        }
        // Counts up, the last role fastest.
        let Some(at) = (0..roles).rev().find(|&at| current[at] + 1 < agents) else {
            return found;
        };
        current[at] += 1;
        current[at + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_agents_play_all_mixed_assignments() {
        assert_eq!(assignments(2, 2), [[0, 1], [1, 0]]);
        assert_eq!(assignments(2, 3).len(), 6);
        assert_eq!(assignments(2, 6).len(), 62);
    }

    #[test]
    fn more_agents_meet_in_all_ways() {
        assert_eq!(assignments(3, 2).len(), 6);
        assert_eq!(assignments(3, 3).len(), 6);
        assert_eq!(assignments(4, 3).len(), 24);
        assert_eq!(assignments(3, 4).len(), 36);
        assert_eq!(assignments(3, 1), [[0], [1], [2]]);
        assert_eq!(assignments(1, 2), [[0, 0]]);
    }
}
