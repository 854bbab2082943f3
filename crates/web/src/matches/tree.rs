//! Trees of searches, to look into.

use gamegrove_agents::OutlineNode;
use gamegrove_game::Role;
use gamegrove_play::{Drawing, Match as Course, State};
use serde::Serialize;

use super::Match;
use crate::refusal::{Answer, Refusal};

/// The searches whose trees are kept.
pub(super) const MAX_TREES: usize = 3;

/// A search whose tree is kept.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) ply: usize,
    pub(super) role: Role,
    pub(super) nodes: Vec<OutlineNode>,
}

/// A node of a searched tree, opened.
#[derive(Clone, Debug, Serialize)]
pub struct TreeView {
    /// Its number.
    node: usize,
    /// The nodes from the root to it, with the moves that lead to each.
    path: Vec<TreeEntry>,
    /// Its successors, the most visited first.
    children: Vec<TreeEntry>,
    /// The position.
    drawing: Drawing,
}

/// A node of a searched tree, in a list.
#[derive(Clone, Debug, Serialize)]
struct TreeEntry {
    /// Its number.
    node: usize,
    /// The moves that lead to it, of roles that had a choice, by the names that people read.
    moves: Vec<String>,
    /// Simulations that came here.
    visits: u64,
    /// Their mean goal for the role that searched.
    mean: Option<f64>,
    /// How many successors are kept.
    children: usize,
}

impl Searched {
    /// A node, opened; `None` if there is no such node.
    fn open(&self, course: &Course, node: usize) -> Option<TreeView> {
        let (board, nodes) = (course.board(), &self.nodes);
        let parent = |node| nodes.iter().position(|known| known.children.contains(&node));
        let mut path: Vec<usize> =
            std::iter::successors(Some(node), |&node| parent(node)).collect();
        path.reverse();
        if path[0] != 0 || node >= nodes.len() {
            return None;
        }
        let entry = |state: &State, node: usize| TreeEntry {
            node,
            moves: board.short_names(state, &nodes[node].moves),
            visits: nodes[node].visits,
            mean: nodes[node].mean,
            children: nodes[node].children.len(),
        };
        let mut state = course.state_after(self.ply);
        let mut last = None;
        let mut entries = vec![entry(&state, 0)];
        for &step in &path[1..] {
            entries.push(entry(&state, step));
            let joint = board.view(&state).ok()?.join(&nodes[step].moves)?;
            let next = board.next(&state, &joint).ok()?;
            last = Some((std::mem::replace(&mut state, next), joint));
        }
        let children = nodes[node].children.iter().map(|&child| entry(&state, child)).collect();
        let last = last.as_ref().map(|(before, joint)| (before, joint.as_slice()));
        Some(TreeView { node, path: entries, children, drawing: board.draw(&state, last) })
    }
}

impl Match {
    /// A node of the last searched tree, or of the one of this step.
    pub fn tree(&self, ply: Option<usize>, role: Option<usize>, node: usize) -> Answer<TreeView> {
        let play = self.play();
        let fits = |kept: &&Searched| {
            ply.is_none_or(|ply| kept.ply == ply)
                && role.is_none_or(|role| kept.role.index() == role)
        };
        let kept = play.searched.iter().rev().find(fits).ok_or_else(|| {
            Refusal::missing(
                "no tree of this position is kept",
                "the trees of the last searches are; ask for a hint to search here",
            )
        })?;
        kept.open(&play.course, node)
            .ok_or_else(|| Refusal::missing("the tree has no such node", "begin at its root"))
    }
}
