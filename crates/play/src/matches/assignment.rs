//! The roles of agents in the matches of a comparison [Sironi 2019, 5.3.2].

/// All assignments of `agents` to `roles` that let agents be compared: entry `r` of an assignment is
/// the agent of role `r`.
///
/// Two agents: all mixed assignments, `2^roles - 2` of them. More agents than two: all in which as
/// many agents meet as there are roles for. With one role or one agent
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

/// The group of match number `run`, where `assignments` come up in turn: a match belongs to the one in
/// which its two agents have swapped their roles. Matches of more agents, or of one, are by themselves.
pub fn group(assignments: &[Vec<usize>], run: usize) -> u64 {
    let (cycle, at) = (run / assignments.len(), run % assignments.len());
    let own = &assignments[at];
    let (one, other) = (own[0], own.iter().copied().find(|&agent| agent != own[0]));
    let swap = |agent: usize| match other {
        Some(other) if agent == one => Some(other),
        Some(other) if agent == other => Some(one),
        _ => None,
    };
    let swapped: Option<Vec<usize>> = own.iter().map(|&agent| swap(agent)).collect();
    let partner = swapped.and_then(|swapped| assignments.iter().position(|one| *one == swapped));
    (cycle * assignments.len() + at.min(partner.unwrap_or(at))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_belongs_to_the_one_with_swapped_roles() {
        let groups = |agents, roles, runs: usize| -> Vec<u64> {
            let ways = assignments(agents, roles);
            (0..runs).map(|run| group(&ways, run)).collect()
        };
        assert_eq!(groups(2, 2, 6), [0, 0, 2, 2, 4, 4]);
        // 001 and 110, 010 and 101, 011 and 100.
        assert_eq!(groups(2, 3, 7), [0, 1, 2, 2, 1, 0, 6]);
        // 01 02 10 12 20 21.
        assert_eq!(groups(3, 2, 6), [0, 1, 0, 3, 1, 3]);
        assert_eq!(groups(3, 3, 6), [0, 1, 2, 3, 4, 5]);
        assert_eq!(groups(3, 1, 4), [0, 1, 2, 3]);
    }

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
