//! Charts for reports: bars with intervals and lines with bands.

use crate::fact::safe;
use crate::svg::{SvgStyle, open};
use crate::theme::{Paint, SERIES_COUNT, Theme};
use crate::xml::{Xml, number};

/// Bars from left to right, one a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarChart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis.
    pub x: String,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
    /// A line across all bars, such as 50 %.
    pub reference: Option<f64>,
    /// A value up to which the axis goes at least, so that several charts share an axis.
    pub longest: Option<f64>,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// Its length.
    pub value: f64,
    /// The interval around it.
    pub interval: Option<(f64, f64)>,
    /// A value to compare with, such as a published one.
    pub other: Option<f64>,
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// The title.
    pub title: String,
    /// The name of the horizontal axis.
    pub x: String,
    /// The name of the vertical axis.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points, across and up.
    pub points: Vec<(f64, f64)>,
    /// The band around it: across, lower and upper.
    pub band: Vec<(f64, f64, f64)>,
}

/// Round numbers from below `low` to above `high`.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
    let (low, high) = (low.clamp(-1e15, 1e15), high.clamp(-1e15, 1e15));
    let span = if high > low { high - low } else { low.abs().max(1.0) };
    let rough = span / 5.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].iter().map(|m| m * power).find(|s| *s >= rough);
    let step = step.unwrap_or(power * 10.0);
    let first = (low / step).floor();
    let last = (high / step).ceil().max(first + 1.0);
    (0..=20)
        .map(|n| (first + f64::from(n)) * step)
        .take_while(|t| *t <= last * step + step / 2.0)
        .collect()
}

fn figure(value: f64) -> String {
    let digits = if value.abs() >= 100.0 || value == value.round() {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}

/// From values to places.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(ticks: &[f64], from: f64, to: f64) -> Scale {
        let (low, high) =
            (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
        Scale { low, high, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        self.from + share * (self.to - self.from)
    }
}

fn text(xml: &mut Xml, words: &str, at: (f64, f64), anchor: &str, size: &str, colour: &str) {
    let (x, y) = (number(at.0), number(at.1));
    xml.leaf(
        "text",
        &[("x", &x), ("y", &y), ("text-anchor", anchor), ("font-size", size), ("fill", colour)],
        words,
    );
}

fn line(xml: &mut Xml, from: (f64, f64), to: (f64, f64), colour: &str, width: &str, dashes: &str) {
    let ends = [from.0, from.1, to.0, to.1].map(number);
    xml.empty(
        "line",
        &[
            ("x1", &ends[0]),
            ("y1", &ends[1]),
            ("x2", &ends[2]),
            ("y2", &ends[3]),
            ("stroke", colour),
            ("stroke-width", width),
            ("stroke-dasharray", dashes),
        ],
    );
}

fn finite(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
}

impl BarChart {
    /// The chart.
    pub fn svg(&self, style: &SvgStyle) -> String {
        const LINE: f64 = 26.0;
        const PLOT: f64 = 420.0;
        let theme = style.theme;
        let longest =
            self.bars.iter().map(|bar| bar.label.chars().count().min(28)).max().unwrap_or(0);
        let left = 24.0 + 6.8 * longest as f64;
        let top = 38.0;
        let bottom = top + LINE * self.bars.len() as f64;
        let values = self.bars.iter().flat_map(|bar| {
            let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
            [bar.value, low, high, bar.other.unwrap_or(bar.value)]
        });
        let (low, high) = finite(values.chain([0.0]).chain(self.reference).chain(self.longest));
        let marks = ticks(low, high);
        let scale = Scale::new(&marks, left, left + PLOT);
        let mut xml = Xml::default();
        let words = self.bars.iter().take(60).map(|bar| match bar.interval {
            Some((low, high)) => format!(
                "{}: {} ({} to {})",
                bar.label,
                figure(bar.value),
                figure(low),
                figure(high)
            ),
            None => format!("{}: {}", bar.label, figure(bar.value)),
        });
        let words = words.collect::<Vec<_>>().join(", ");
        open(&mut xml, theme, &style.id, &self.title, &words, (left + PLOT + 130.0, bottom + 46.0));
        let (ink, faint) = (theme.colour(Paint::Ink), theme.colour(Paint::Faint));
        text(&mut xml, &safe(&self.title, 80), (14.0, 20.0), "start", "14", &ink);
        for &mark in &marks {
            let x = scale.at(mark);
            line(&mut xml, (x, top), (x, bottom), &faint, "0.5", "none");
            text(&mut xml, &figure(mark), (x, bottom + 15.0), "middle", "11", &faint);
        }
        text(
            &mut xml,
            &safe(&self.x, 60),
            (left + PLOT / 2.0, bottom + 34.0),
            "middle",
            "12",
            &ink,
        );
        for (row, bar) in self.bars.iter().enumerate() {
            draw_bar(&mut xml, bar, top + LINE * row as f64, (left, LINE), &scale, theme);
        }
        if let Some(reference) = self.reference {
            let x = scale.at(reference);
            line(&mut xml, (x, top), (x, bottom), &ink, "1.5", "4 3");
        }
        xml.finish()
    }
}

fn draw_bar(
    xml: &mut Xml,
    bar: &Bar,
    y: f64,
    (left, height): (f64, f64),
    scale: &Scale,
    theme: Theme,
) {
    let (ink, fill) = (theme.colour(Paint::Ink), theme.colour(Paint::Series(0)));
    let middle = y + height / 2.0;
    text(xml, &safe(&bar.label, 28), (left - 8.0, middle + 4.0), "end", "12", &ink);
    let (zero, end) = (scale.at(0.0), scale.at(bar.value));
    let (x, width) = (number(zero.min(end)), number((end - zero).abs()));
    let (top, high) = (number(y + 5.0), number(height - 10.0));
    xml.empty(
        "rect",
        &[
            ("x", &x),
            ("y", &top),
            ("width", &width),
            ("height", &high),
            ("fill", &fill),
            ("fill-opacity", "0.75"),
        ],
    );
    let mut right = end.max(zero);
    if let Some((low, high)) = bar.interval {
        let (low, high) = (scale.at(low), scale.at(high));
        line(xml, (low, middle), (high, middle), &ink, "1.6", "none");
        for side in [low, high] {
            line(xml, (side, middle - 5.0), (side, middle + 5.0), &ink, "1.6", "none");
        }
        right = right.max(high);
    }
    if let Some(other) = bar.other {
        let x = scale.at(other);
        let points = [(0.0, -6.0), (5.0, 0.0), (0.0, 6.0), (-5.0, 0.0)]
            .map(|(dx, dy)| format!("{},{}", number(x + dx), number(middle + dy)))
            .join(" ");
        let (colour, page) = (theme.colour(Paint::Series(1)), theme.colour(Paint::Page));
        xml.empty(
            "polygon",
            &[("points", &points), ("fill", &colour), ("stroke", &page), ("stroke-width", "1")],
        );
        right = right.max(x + 5.0);
    }
    text(xml, &figure(bar.value), (right + 7.0, middle + 4.0), "start", "11", &ink);
}

impl LineChart {
    /// The chart.
    pub fn svg(&self, style: &SvgStyle) -> String {
        const SIZE: (f64, f64) = (680.0, 340.0);
        let (left, right, top, bottom) = (62.0, 500.0, 38.0, 290.0);
        let theme = style.theme;
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let bands = || self.series.iter().flat_map(|series| series.band.iter().copied());
        let across = finite(points().map(|(x, _)| x).chain(bands().map(|(x, ..)| x)));
        let upward = finite(points().map(|(_, y)| y).chain(bands().flat_map(|(_, l, h)| [l, h])));
        let (x_ticks, y_ticks) = (ticks(across.0, across.1), ticks(upward.0, upward.1));
        // Lines start at the edge; only their labels are round.
        let tight = if across.1 > across.0 { vec![across.0, across.1] } else { x_ticks.clone() };
        let (x, y) = (Scale::new(&tight, left, right), Scale::new(&y_ticks, bottom, top));
        let mut xml = Xml::default();
        let names: Vec<String> = self.series.iter().map(|series| safe(&series.name, 40)).collect();
        let words = format!("{} over {}: {}", self.y, self.x, names.join(", "));
        open(&mut xml, theme, &style.id, &self.title, &words, SIZE);
        let (ink, faint) = (theme.colour(Paint::Ink), theme.colour(Paint::Faint));
        text(&mut xml, &safe(&self.title, 80), (14.0, 20.0), "start", "14", &ink);
        for &mark in &y_ticks {
            let at = y.at(mark);
            line(&mut xml, (left, at), (right, at), &faint, "0.5", "none");
            text(&mut xml, &figure(mark), (left - 6.0, at + 4.0), "end", "11", &faint);
        }
        for &mark in x_ticks.iter().filter(|mark| (x.low..=x.high).contains(mark)) {
            line(&mut xml, (x.at(mark), bottom), (x.at(mark), bottom + 4.0), &faint, "1", "none");
            text(&mut xml, &figure(mark), (x.at(mark), bottom + 17.0), "middle", "11", &faint);
        }
        text(
            &mut xml,
            &safe(&self.x, 60),
            ((left + right) / 2.0, bottom + 36.0),
            "middle",
            "12",
            &ink,
        );
        text(&mut xml, &safe(&self.y, 40), (left + 4.0, top - 5.0), "start", "11", &faint);
        for (number_of, series) in self.series.iter().enumerate() {
            draw_series(&mut xml, series, number_of, (&x, &y), theme);
            let at = top + 10.0 + 20.0 * number_of as f64;
            let (colour, dashes) = looks(number_of, theme);
            line(
                &mut xml,
                (right + 16.0, at - 4.0),
                (right + 40.0, at - 4.0),
                &colour,
                "2.5",
                dashes,
            );
            text(&mut xml, &safe(&series.name, 20), (right + 46.0, at), "start", "12", &ink);
        }
        xml.finish()
    }
}

/// Colour and dashes of a line. Dashes differ where colours repeat, and help readers with colour blindness.
fn looks(number_of: usize, theme: Theme) -> (String, &'static str) {
    let dashes = ["none", "7 4", "2 3", "9 3 2 3", "4 4", "12 4"];
    let turn = number_of + number_of / SERIES_COUNT;
    (theme.colour(Paint::Series(number_of)), dashes[turn % dashes.len()])
}

fn draw_series(
    xml: &mut Xml,
    series: &Series,
    number_of: usize,
    (x, y): (&Scale, &Scale),
    theme: Theme,
) {
    let (colour, dashes) = looks(number_of, theme);
    let place = |across: f64, up: f64| format!("{},{}", number(x.at(across)), number(y.at(up)));
    if series.band.len() > 1 {
        let upper = series.band.iter().map(|&(at, _, high)| place(at, high));
        let lower = series.band.iter().rev().map(|&(at, low, _)| place(at, low));
        let points = upper.chain(lower).collect::<Vec<_>>().join(" ");
        xml.empty("polygon", &[("points", &points), ("fill", &colour), ("fill-opacity", "0.18")]);
    }
    let points = series.points.iter().filter(|(a, b)| a.is_finite() && b.is_finite());
    let points = points.map(|&(at, up)| place(at, up)).collect::<Vec<_>>().join(" ");
    xml.empty(
        "polyline",
        &[
            ("points", &points),
            ("fill", "none"),
            ("stroke", &colour),
            ("stroke-width", "2.2"),
            ("stroke-dasharray", dashes),
        ],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(0.0, 1.0).len(), 6);
        assert!(ticks(3.0, 3.0).len() >= 2);
        assert!(ticks(f64::NAN, f64::INFINITY).len() >= 2);
        assert!(ticks(-1e300, 1e300).len() <= 21);
    }

    #[test]
    fn charts_are_drawn() {
        let bar = |label: &str, value, interval| Bar {
            label: label.into(),
            value,
            interval,
            other: Some(48.0),
        };
        let chart = BarChart {
            title: "Wins".into(),
            x: "%".into(),
            bars: vec![bar("MAST", 61.5, Some((58.0, 65.0))), bar("RAVE & <more>", 44.0, None)],
            reference: Some(50.0),
            longest: None,
        };
        let style = SvgStyle { theme: Theme::Light, ..SvgStyle::default() };
        insta::assert_snapshot!(chart.svg(&style));
        let empty = LineChart::default().svg(&style);
        assert!(empty.ends_with("</svg>\n"), "{empty}");
    }
}
