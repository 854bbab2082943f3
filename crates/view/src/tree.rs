//! Search trees as drawings: with moves and values (SVG, DOT), as a shape that shows how deep and wide
//! a tree grew, and per turn as numbers (`parameter-tuning.md`, section 9.7).
//!
//! The input is neutral: any search copies what it wants to show into a [`TreePicture`].

use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::chart::{LineChart, Series};
use crate::fact::safe;
use crate::svg::{SvgStyle, open};
use crate::theme::{Paint, Theme};
use crate::xml::{Xml, number};

/// A node of a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeNode {
    /// The move that leads here.
    pub label: String,
    /// How often it was visited.
    pub visits: u64,
    /// Its value for the role that the drawing is made for: 0 lost, 1 won; `None` if unknown.
    pub value: Option<f64>,
    /// The turn in which it was added, if trees are kept from turn to turn.
    pub turn: u32,
    /// Its children, by their places in [`TreePicture::nodes`].
    pub children: Vec<usize>,
}

/// A tree, or a graph with shared nodes. Children that do not exist are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreePicture {
    /// The nodes; the first is the root.
    pub nodes: Vec<TreeNode>,
}

/// How much of a tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// The most children of a node; those with the most visits are drawn.
    pub children: usize,
    /// The most moves from the root.
    pub depth: usize,
    /// The most nodes.
    pub nodes: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        TreeLimits { children: 5, depth: 4, nodes: 150 }
    }
}

/// The size of a turn's tree, or the mean of many matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnStatistics {
    /// The most moves from the root to a visited node, on the shortest way.
    pub depth: f64,
    /// The mean number of visited children of nodes that have any.
    pub branching: f64,
}

/// A node that is drawn.
struct Drawn {
    node: usize,
    parent: Option<usize>,
    depth: usize,
    /// Children that are left out.
    hidden: usize,
    /// Across, in leaves.
    place: f64,
}

impl TreePicture {
    /// Depth and branching of the visited part [Sironi 2019, 7.3.6].
    pub fn statistics(&self) -> TurnStatistics {
        let mut depth = vec![usize::MAX; self.nodes.len()];
        let mut queue = VecDeque::new();
        if let Some(first) = depth.first_mut() {
            *first = 0;
            queue.push_back(0);
        }
        let (mut deepest, mut inner, mut branches) = (0, 0_usize, 0_usize);
        while let Some(at) = queue.pop_front() {
            deepest = deepest.max(depth[at]);
            let visited = |child: &&usize| self.nodes.get(**child).is_some_and(|n| n.visits > 0);
            let children: Vec<usize> =
                self.nodes[at].children.iter().filter(visited).copied().collect();
            inner += usize::from(!children.is_empty());
            branches += children.len();
            for child in children {
                if depth[child] == usize::MAX {
                    depth[child] = depth[at] + 1;
                    queue.push_back(child);
                }
            }
        }
        let branching = if inner == 0 { 0.0 } else { branches as f64 / inner as f64 };
        TurnStatistics { depth: deepest as f64, branching }
    }

    /// The nodes that are drawn: breadth first, the most visited children first.
    fn select(&self, limits: TreeLimits) -> Vec<Drawn> {
        let mut drawn: Vec<Drawn> = Vec::new();
        if self.nodes.is_empty() || limits.nodes == 0 {
            return drawn;
        }
        drawn.push(Drawn { node: 0, parent: None, depth: 0, hidden: 0, place: 0.0 });
        let mut at = 0;
        while at < drawn.len() {
            let (node, depth) = (drawn[at].node, drawn[at].depth);
            let mut children: Vec<usize> = self.nodes[node]
                .children
                .iter()
                .copied()
                .filter(|&child| child < self.nodes.len())
                .collect();
            let all = children.len();
            children.sort_by_key(|&child| std::cmp::Reverse(self.nodes[child].visits));
            let room = limits.nodes - drawn.len();
            let count = if depth < limits.depth { limits.children.min(room) } else { 0 };
            children.truncate(count);
            drawn[at].hidden = all - children.len();
            drawn.extend(children.into_iter().map(|node| Drawn {
                node,
                parent: Some(at),
                depth: depth + 1,
                hidden: 0,
                place: 0.0,
            }));
            at += 1;
        }
        arrange(&mut drawn);
        drawn
    }

    fn share(&self, node: usize) -> f64 {
        let root = self.nodes.first().map_or(1, |root| root.visits).max(1);
        (self.nodes[node].visits as f64 / root as f64).clamp(0.0, 1.0)
    }

    /// The top of the tree from left to right: size by visits, colour by value.
    pub fn svg(&self, limits: TreeLimits, style: &SvgStyle) -> String {
        const STEP: f64 = 180.0;
        const LINE: f64 = 30.0;
        let drawn = self.select(limits);
        let deepest = drawn.iter().map(|node| node.depth).max().unwrap_or(0);
        let leaves = drawn.iter().map(|node| node.place).fold(0.0, f64::max);
        let place = |node: &Drawn| (30.0 + node.depth as f64 * STEP, 26.0 + node.place * LINE);
        let size = (deepest as f64 * STEP + 220.0, leaves * LINE + 52.0);
        let theme = style.theme;
        let words = format!("The {} most visited of {} nodes.", drawn.len(), self.nodes.len());
        let mut xml = Xml::default();
        open(&mut xml, theme, &style.id, &style.title, &words, size);
        let edge = theme.colour(Paint::Faint);
        for node in &drawn {
            let Some(parent) = node.parent else { continue };
            let ((x1, y1), (x2, y2)) = (place(&drawn[parent]), place(node));
            let middle = number(x2 - STEP * 0.45);
            let path = format!(
                "M{} {}C{middle} {} {middle} {} {} {}",
                number(x1),
                number(y1),
                number(y1),
                number(y2),
                number(x2),
                number(y2)
            );
            let width = number(1.0 + 5.0 * self.share(node.node).sqrt());
            let attributes = [
                ("d", &*path),
                ("fill", "none"),
                ("stroke", &edge),
                ("stroke-width", &width),
                ("stroke-opacity", "0.55"),
            ];
            xml.empty("path", &attributes);
        }
        for node in &drawn {
            self.draw_node(&mut xml, node, place(node), theme);
        }
        xml.finish()
    }

    fn draw_node(&self, xml: &mut Xml, drawn: &Drawn, (x, y): (f64, f64), theme: Theme) {
        let node = &self.nodes[drawn.node];
        let (index, visits) = (drawn.node.to_string(), node.visits.to_string());
        xml.open("g", &[("class", "node"), ("data-node", &index), ("data-visits", &visits)]);
        let value = node.value.map_or_else(String::new, |value| format!(", value {value:.3}"));
        xml.leaf("title", &[], &format!("{}: {} visits{value}", node.label, node.visits));
        let radius = 4.0 + 8.0 * self.share(drawn.node).sqrt();
        let page = theme.colour(Paint::Page);
        let ink = theme.colour(Paint::Ink);
        let (fill, strength) = value_paint(node.value, theme);
        let (cx, cy, r) = (number(x), number(y), number(radius));
        // The page's colour below, so that a faint colour does not let edges through.
        xml.empty("circle", &[("cx", &cx), ("cy", &cy), ("r", &r), ("fill", &page)]);
        let attributes = [
            ("cx", &*cx),
            ("cy", &*cy),
            ("r", &r),
            ("fill", &fill),
            ("fill-opacity", &strength),
            ("stroke", &ink),
            ("stroke-width", "1.2"),
        ];
        xml.empty("circle", &attributes);
        let (left, up, down) = (number(x + radius + 4.0), number(y - 1.0), number(y + 11.0));
        let attributes = [
            ("x", &*left),
            ("y", &up),
            ("font-size", "11"),
            ("font-weight", "600"),
            ("stroke", &page),
            ("stroke-width", "3"),
            ("paint-order", "stroke"),
            ("fill", &ink),
        ];
        xml.leaf("text", &attributes, &safe(&node.label, 22));
        let mut figures = node.visits.to_string();
        if let Some(value) = node.value {
            let _ = write!(figures, " · {:.0} %", value * 100.0);
        }
        if drawn.hidden > 0 {
            let _ = write!(figures, " · +{}", drawn.hidden);
        }
        let faint = theme.colour(Paint::Faint);
        xml.leaf(
            "text",
            &[("x", &left), ("y", &down), ("font-size", "9.5"), ("fill", &faint)],
            &figures,
        );
        xml.close();
    }

    /// The tree for Graphviz.
    pub fn dot(&self, limits: TreeLimits) -> String {
        let drawn = self.select(limits);
        let mut text = String::from(
            "digraph search {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n",
        );
        for (number, shown) in drawn.iter().enumerate() {
            let node = &self.nodes[shown.node];
            let value =
                node.value.map_or_else(String::new, |value| format!("\\n{:.1} %", 100.0 * value));
            let more =
                if shown.hidden > 0 { format!("\\n+{} more", shown.hidden) } else { String::new() };
            let label = safe(&node.label, 60).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(
                text,
                "  n{number} [label=\"{label}\\n{} visits{value}{more}\", fillcolor=\"{}\"];",
                node.visits,
                dot_colour(node.value)
            );
            if let Some(parent) = shown.parent {
                let width = 1.0 + 5.0 * self.share(shown.node).sqrt();
                let _ = writeln!(text, "  n{parent} -> n{number} [penwidth={width:.2}];");
            }
        }
        text + "}\n"
    }

    /// The shape of a tree without words: branches across, moves down, edges shaded by the turn in
    /// which they were added, the latest strongest.
    pub fn shape_svg(&self, limits: TreeLimits, style: &SvgStyle) -> String {
        const WIDTH: f64 = 640.0;
        let drawn = self.select(limits);
        let deepest = drawn.iter().map(|node| node.depth).max().unwrap_or(0);
        let leaves = drawn.iter().map(|node| node.place).fold(1.0, f64::max);
        let turns = drawn.iter().map(|node| self.nodes[node.node].turn);
        let (first, last) = (turns.clone().min().unwrap_or(0), turns.max().unwrap_or(0));
        let step = 26.0;
        let place = |node: &Drawn| {
            (46.0 + node.place / leaves * (WIDTH - 60.0), 16.0 + node.depth as f64 * step)
        };
        let words = format!("{} of {} nodes, {deepest} moves deep.", drawn.len(), self.nodes.len());
        let mut xml = Xml::default();
        open(
            &mut xml,
            style.theme,
            &style.id,
            &style.title,
            &words,
            (WIDTH, deepest as f64 * step + 34.0),
        );
        let (ink, faint) = (style.theme.colour(Paint::Series(0)), style.theme.colour(Paint::Faint));
        for depth in (0..=deepest).step_by(if deepest > 20 { 5 } else { 1 }) {
            let y = number(20.0 + depth as f64 * step);
            xml.leaf(
                "text",
                &[
                    ("x", "30"),
                    ("y", &y),
                    ("font-size", "11"),
                    ("text-anchor", "end"),
                    ("fill", &faint),
                ],
                &depth.to_string(),
            );
        }
        for node in &drawn {
            let Some(parent) = node.parent else { continue };
            let ((x1, y1), (x2, y2)) = (place(&drawn[parent]), place(node));
            let path = format!("M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
            let age =
                f64::from(self.nodes[node.node].turn - first) / f64::from((last - first).max(1));
            let opacity = number(if last == first { 0.8 } else { 0.25 + 0.75 * age });
            let attributes = [
                ("d", &*path),
                ("stroke", &ink),
                ("stroke-width", "1"),
                ("stroke-opacity", &opacity),
                ("fill", "none"),
            ];
            xml.empty("path", &attributes);
        }
        xml.finish()
    }
}

/// Gives every node its place: leaves side by side in the order of their parents, parents in the middle
/// of their children. `drawn` has parents before children, so two passes are enough.
fn arrange(drawn: &mut [Drawn]) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); drawn.len()];
    for (at, node) in drawn.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(at);
        }
    }
    let mut leaves: Vec<usize> = vec![1; drawn.len()];
    for at in (0..drawn.len()).rev() {
        if !children[at].is_empty() {
            leaves[at] = children[at].iter().map(|&child| leaves[child]).sum();
        }
    }
    let mut starts = vec![0; drawn.len()];
    for at in 0..drawn.len() {
        let mut start = starts[at];
        for &child in &children[at] {
            starts[child] = start;
            start += leaves[child];
        }
        drawn[at].place = starts[at] as f64 + (leaves[at] as f64 - 1.0) / 2.0;
    }
}

/// Good is green and bad is red, the stronger the clearer; in between is the page's colour.
fn value_paint(value: Option<f64>, theme: Theme) -> (String, String) {
    let Some(value) = value.filter(|value| value.is_finite()) else {
        return (theme.colour(Paint::Faint), "0.4".to_owned());
    };
    let paint = if value >= 0.5 { Paint::Good } else { Paint::Bad };
    (theme.colour(paint), number(((value - 0.5).abs() * 2.0).clamp(0.0, 1.0)))
}

/// The same for Graphviz, which knows no themes.
fn dot_colour(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return "#eeeeee".to_owned() };
    let strength = ((value - 0.5).abs() * 2.0).clamp(0.0, 1.0);
    let mix = |from: f64, to: f64| (from + (to - from) * strength).round() as u8;
    let target = if value >= 0.5 { (120.0, 200.0, 130.0) } else { (240.0, 130.0, 120.0) };
    format!("#{:02x}{:02x}{:02x}", mix(255.0, target.0), mix(255.0, target.1), mix(255.0, target.2))
}

/// Depth and branching by turn for several agents, one chart each [Sironi 2019, 7.3.6].
pub fn turn_charts(agents: &[(String, Vec<(f64, TurnStatistics)>)]) -> [LineChart; 2] {
    let chart = |title: &str, y: &str, figure: &dyn Fn(&TurnStatistics) -> f64| LineChart {
        title: title.to_owned(),
        x: "turn".to_owned(),
        y: y.to_owned(),
        series: agents
            .iter()
            .map(|(name, turns)| Series {
                name: name.clone(),
                points: turns.iter().map(|(turn, found)| (*turn, figure(found))).collect(),
                band: Vec::new(),
            })
            .collect(),
    };
    [
        chart("Depth of the tree by turn", "maximum depth", &|found| found.depth),
        chart("Branching of the tree by turn", "effective branching", &|found| found.branching),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str, visits: u64, value: f64, children: &[usize]) -> TreeNode {
        TreeNode {
            label: label.to_owned(),
            visits,
            value: Some(value),
            turn: 1,
            children: children.to_vec(),
        }
    }

    fn example() -> TreePicture {
        TreePicture {
            nodes: vec![
                node("", 100, 0.55, &[1, 2, 3, 99]),
                node("(mark 1 1)", 60, 0.7, &[4, 5]),
                node("(mark \"2\" <2>)", 35, 0.4, &[]),
                node("(mark 3 3)", 5, 0.1, &[]),
                node("a", 40, 1.0, &[6]),
                node("b", 0, 0.5, &[]),
                node("c", 10, 0.0, &[]),
            ],
        }
    }

    #[test]
    fn statistics_count_visited_children_only() {
        // The root has three, (mark 1 1) one, a one.
        let found = example().statistics();
        assert_eq!(found, TurnStatistics { depth: 3.0, branching: 5.0 / 3.0 });
        assert_eq!(TreePicture::default().statistics(), TurnStatistics::default());
    }

    #[test]
    fn depth_is_the_shortest_way() {
        let mut tree = example();
        tree.nodes[0].children.push(6);
        assert_eq!(tree.statistics().depth, 2.0);
    }

    #[test]
    fn limits_are_kept_even_in_circles() {
        let mut tree = example();
        tree.nodes[6].children = vec![0];
        let limits = TreeLimits { children: 2, depth: 1_000, nodes: 40 };
        assert!(tree.select(limits).len() <= 40);
        let drawn = tree.select(TreeLimits { children: 2, depth: 1, nodes: 40 });
        assert_eq!(drawn.len(), 3);
        assert_eq!(drawn[0].hidden, 1);
    }

    #[test]
    fn trees_are_drawn() {
        let limits = TreeLimits { children: 2, depth: 2, nodes: 40 };
        insta::assert_snapshot!(example().dot(limits));
        let style = SvgStyle { theme: Theme::Light, ..SvgStyle::default() };
        insta::assert_snapshot!(example().svg(limits, &style));
        assert!(example().shape_svg(limits, &style).contains("stroke-opacity"));
    }
}
