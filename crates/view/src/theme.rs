//! The colours of drawings.
//!
//! A drawing that follows the reader's choice of light or dark uses style variables; a page can set
//! the same variables, named here, to its own colours. Programs that turn SVG into pixels often know
//! no variables; for them there are drawings with fixed colours.

use crate::look::Colour;

/// Which colours a drawing uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The reader's preference, or that of the page around the drawing.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// A part of a drawing with a colour of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Page,
    Ink,
    Faint,
    Light,
    Dark,
    Edge,
    Blocked,
    Source,
    Target,
    Good,
    Bad,
    Series(usize),
}

/// Name of the variable, light and dark.
const PAINTS: [(Paint, &str, &str, &str); 11] = [
    (Paint::Page, "--grove-page", "#ffffff", "#17191c"),
    (Paint::Ink, "--grove-ink", "#1f2328", "#e6e8ea"),
    (Paint::Faint, "--grove-faint", "#656d76", "#9aa3ad"),
    (Paint::Light, "--grove-light", "#f6ecd9", "#5b6470"),
    (Paint::Dark, "--grove-dark", "#dcc49b", "#454d58"),
    (Paint::Edge, "--grove-edge", "#8b7650", "#8a94a1"),
    (Paint::Blocked, "--grove-blocked", "#6f6250", "#24282d"),
    (Paint::Source, "--grove-source", "#b26a00", "#ffb454"),
    (Paint::Target, "--grove-target", "#0a7d33", "#56d67f"),
    (Paint::Good, "--grove-good", "#1a7f37", "#3fb950"),
    (Paint::Bad, "--grove-bad", "#cf222e", "#f0625d"),
];

/// Colours of series that stay distinct for readers with colour blindness.
const SERIES: [(&str, &str, &str); 6] = [
    ("--grove-series-1", "#0060a8", "#5aa9e6"),
    ("--grove-series-2", "#b84a00", "#f4a259"),
    ("--grove-series-3", "#00735c", "#3fc1a0"),
    ("--grove-series-4", "#a3257a", "#e58ac6"),
    ("--grove-series-5", "#6b5900", "#d9c64a"),
    ("--grove-series-6", "#4b4f58", "#c3c8d0"),
];

/// How many series have colours of their own.
pub(crate) const SERIES_COUNT: usize = SERIES.len();

impl Theme {
    /// The colour of a paint, as an attribute's value.
    pub(crate) fn colour(self, paint: Paint) -> String {
        let (name, light, dark) = match paint {
            Paint::Series(number) => SERIES[number % SERIES.len()],
            _ => PAINTS
                .iter()
                .find(|(known, ..)| *known == paint)
                .map_or(("--grove-ink", "#000", "#fff"), |(_, name, light, dark)| {
                    (*name, *light, *dark)
                }),
        };
        match self {
            // A shadow name, so that the page's own variable stays free to be set outside.
            Theme::Auto => format!("var({})", name.replace("--grove", "--g")),
            Theme::Light => light.to_owned(),
            Theme::Dark => dark.to_owned(),
        }
    }

    /// The style sheet that gives the variables their values; none for fixed colours.
    pub(crate) fn sheet(self) -> Option<String> {
        if self != Theme::Auto {
            return None;
        }
        let all = || {
            let paints = PAINTS.iter().map(|(_, name, light, dark)| (*name, *light, *dark));
            paints.chain(SERIES.iter().copied())
        };
        let rules = |dark_side: bool| -> String {
            all()
                .map(|(name, light, dark)| {
                    let value = if dark_side { dark } else { light };
                    format!("{}:var({name},{value});", name.replace("--grove", "--g"))
                })
                .collect()
        };
        Some(format!(
            ".grove-view{{{}}}@media (prefers-color-scheme:dark){{.grove-view{{{}}}}}",
            rules(false),
            rules(true)
        ))
    }
}

/// The fill of a piece and the line around it.
pub(crate) fn piece_colours(colour: Option<Colour>) -> (&'static str, &'static str) {
    match colour {
        Some(Colour::White) => ("#fffefa", "#2b2b2b"),
        Some(Colour::Black) => ("#26262a", "#f4f4f4"),
        Some(Colour::Red) => ("#d1202f", "#ffffff"),
        Some(Colour::Blue) => ("#1f63d0", "#ffffff"),
        Some(Colour::Green) => ("#1d8a3c", "#ffffff"),
        Some(Colour::Yellow) => ("#ffd628", "#3a3000"),
        Some(Colour::Orange) => ("#f28a1c", "#3a1f00"),
        Some(Colour::Teal) => ("#0f9aa5", "#ffffff"),
        Some(Colour::Magenta) => ("#d13bb0", "#ffffff"),
        Some(Colour::Purple) => ("#7a3fd0", "#ffffff"),
        Some(Colour::Brown) => ("#80512b", "#ffffff"),
        Some(Colour::Grey) | None => ("#8b929b", "#ffffff"),
    }
}
