//! Networks as pictures: the language of Graphviz.

use std::fmt::{self, Write};

use crate::kind::Kind;
use crate::network::Network;

/// Writes a network as a Graphviz graph. Constants that nothing reads are left out.
pub fn write_dot(network: &Network, out: &mut impl Write) -> fmt::Result {
    writeln!(out, "digraph network {{\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];")?;
    for node in network.nodes() {
        let part = network.part(node);
        if part.kind.is_constant() && network.outputs(node).is_empty() {
            continue;
        }
        let (shape, fill) = match part.kind {
            Kind::True | Kind::False => ("plaintext", "white"),
            Kind::Base => ("box", if part.initial { "gold" } else { "lightyellow" }),
            Kind::Input => ("box", "lightblue"),
            Kind::Legal => ("box", "palegreen"),
            Kind::Goal => ("box", "plum"),
            Kind::Terminal => ("box", "salmon"),
            Kind::Other => ("box", "white"),
            Kind::Transition => ("rarrow", "lightgrey"),
            Kind::And => ("invhouse", "lightgrey"),
            Kind::Or => ("ellipse", "lightgrey"),
            Kind::Not => ("invtriangle", "lightgrey"),
        };
        let label = match part.kind {
            Kind::Transition | Kind::And | Kind::Or | Kind::Not => part.kind.word().to_owned(),
            _ => network.label(node),
        };
        let label = label.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(
            out,
            "  n{} [label=\"{label}\", shape={shape}, style=filled, fillcolor={fill}];",
            node.0
        )?;
    }
    for node in network.nodes() {
        for input in network.inputs(node) {
            // The way back into the state would pull the picture into a ring.
            let back = if network.kind(node) == Kind::Base { " [constraint=false]" } else { "" };
            writeln!(out, "  n{} -> n{}{back};", input.0, node.0)?;
        }
    }
    writeln!(out, "}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::network;

    #[test]
    fn every_component_and_connection_is_drawn() {
        let network = network(
            "role r
             (true \"a\") = base t
             t = transition n
             n = not (true \"a\")
             terminal = terminal (true \"a\")
             init \"a\"",
        );
        let mut dot = String::new();
        write_dot(&network, &mut dot).expect("a string takes everything");
        assert_eq!(dot.matches(" -> ").count(), network.edge_count());
        assert_eq!(dot.matches("label=").count(), network.len() - 2);
        assert!(dot.contains(r#"label="(true \"a\")", shape=box, style=filled, fillcolor=gold"#));
        assert!(dot.starts_with("digraph") && dot.ends_with("}\n"));
    }
}
