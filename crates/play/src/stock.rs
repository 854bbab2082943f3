//! The stock of The Octagon Theory beside its board, as labelled lines.

use gamegrove_view::Panel;

/// The lines for facts such as `turn first`, `stock first 2 12` and `ply 4`; `roles` has the names of the
/// roles.
pub(crate) fn panels(facts: &[String], roles: &[String]) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    let mut enter = |label: &str, role: Option<usize>, value: String| {
        let known = panels.iter_mut().find(|panel| panel.label == label && panel.role == role);
        match known {
            Some(panel) => panel.values.push(value),
            None => panels.push(Panel { label: label.to_owned(), role, values: vec![value] }),
        }
    };
    for fact in facts {
        match fact.split(' ').collect::<Vec<_>>()[..] {
            ["turn", role] => enter("To move", None, role.to_owned()),
            ["stock", role, kind, left] => {
                let role = roles.iter().position(|name| name == role);
                enter("Stock", role, format!("{kind}-piece: {left}"));
            }
            ["ply", steps] => enter("Steps made", None, steps.to_owned()),
            _ => {}
        }
    }
    panels.sort_by_key(|panel| (panel.label != "To move", panel.role.is_none()));
    panels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_has_its_stock() {
        let facts = [
            "ply 3",
            "stock first 1 unlimited",
            "stock second 1 unlimited",
            "stock first 2 12",
            "turn first",
        ];
        let facts = facts.map(str::to_owned);
        let found = panels(&facts, &["first".to_owned(), "second".to_owned()]);
        let labels: Vec<&str> = found.iter().map(|panel| &*panel.label).collect();
        assert_eq!(labels, ["To move", "Stock", "Stock", "Steps made"]);
        assert_eq!(found[1].values, ["1-piece: unlimited", "2-piece: 12"]);
        assert_eq!((found[1].role, found[2].role), (Some(0), Some(1)));
    }
}
