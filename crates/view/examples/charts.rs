//! Draws a tree and charts of made-up numbers, to be looked at: `charts FOLDER`.

use std::error::Error;
use std::path::Path;

use gamegrove_game::Rng;
use gamegrove_view::{
    Bar, BarChart, LineChart, Series, SvgStyle, Theme, TreeLimits, TreeNode, TreePicture,
    TurnStatistics, turn_charts,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give a folder for the drawings")?;
    std::fs::create_dir_all(&folder)?;
    let tree = tree(&mut Rng::new(3));
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let style =
            |title: &str| SvgStyle { theme, title: title.to_owned(), ..SvgStyle::default() };
        let write = |what: &str, svg: String| {
            std::fs::write(Path::new(&folder).join(format!("{what}-{name}.svg")), svg)
        };
        write("tree", tree.svg(TreeLimits::default(), &style("A tree")))?;
        let many = TreeLimits { children: 50, depth: 50, nodes: 2_000 };
        write("shape", tree.shape_svg(many, &style("The shape of a tree")))?;
        write("bars", bars().svg(&style("Bars")))?;
        write("lines", lines().svg(&style("Lines")))?;
        let turns = |base: f64| -> Vec<(f64, TurnStatistics)> {
            (0u8..30)
                .map(|t| {
                    let depth = f64::from(12 + t / 3);
                    let branching = base + f64::from(t) / 20.0;
                    (f64::from(t + 1), TurnStatistics { depth, branching })
                })
                .collect()
        };
        let [depth, _] =
            turn_charts(&[("AP".to_owned(), turns(2.0)), ("NTBEA".to_owned(), turns(1.5))]);
        write("turns", depth.svg(&style("Turns")))?;
    }
    std::fs::write(Path::new(&folder).join("tree.dot"), tree.dot(TreeLimits::default()))?;
    Ok(())
}

/// A tree that grew at random, more where it had grown before.
fn tree(rng: &mut Rng) -> TreePicture {
    let mut tree =
        TreePicture { nodes: vec![TreeNode { label: "now".to_owned(), ..TreeNode::default() }] };
    for turn in 0..1_500 {
        let mut path = vec![0];
        let mut at = 0;
        while !tree.nodes[at].children.is_empty() && rng.below(4) > 0 {
            let children = &tree.nodes[at].children;
            // The better of two, so that the tree is not even.
            at = children[rng.below(children.len()).min(rng.below(children.len()))];
            path.push(at);
        }
        let label = format!("(move {} {})", 1 + rng.below(8), 1 + rng.below(8));
        let node =
            TreeNode { label, visits: 0, value: Some(0.5), turn: turn / 100, children: Vec::new() };
        tree.nodes.push(node);
        let last = tree.nodes.len() - 1;
        tree.nodes[at].children.push(last);
        path.push(last);
        let result = rng.unit();
        for node in path {
            let node = &mut tree.nodes[node];
            let visits = node.visits as f64;
            node.value = Some((node.value.unwrap_or(0.5) * visits + result) / (visits + 1.0));
            node.visits += 1;
        }
    }
    tree
}

fn bars() -> BarChart {
    let bar = |label: &str, value: f64, published: f64| Bar {
        label: label.to_owned(),
        value,
        interval: Some((value - 3.5, value + 3.5)),
        other: Some(published),
    };
    BarChart {
        title: "Wins against plain search".to_owned(),
        x: "wins in %, with 95 % intervals; diamonds: other figures".to_owned(),
        bars: vec![
            bar("breakthrough", 61.0, 58.2),
            bar("connect four", 47.5, 52.0),
            bar("reversi", 72.4, 70.0),
        ],
        reference: Some(50.0),
        longest: None,
    }
}

fn lines() -> LineChart {
    let series = |name: &str, height: f64| {
        let points: Vec<(f64, f64)> =
            (0..40).map(f64::from).map(|t| (t, height * (1.0 - (-t / 12.0).exp()))).collect();
        let band = points.iter().map(|&(t, y)| (t, y * 0.93, y * 1.07)).collect();
        Series { name: name.to_owned(), points, band }
    };
    LineChart {
        title: "Value while thinking".to_owned(),
        x: "thousand simulations".to_owned(),
        y: "value in %".to_owned(),
        series: vec![series("UCT", 55.0), series("GRAVE", 68.0), series("MAST", 61.0)],
    }
}
