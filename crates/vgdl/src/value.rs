//! Values of parameters, converted as the framework converts them (`vgdl-ontology`, 2.1.9).
//!
//! A word that names a constant is that constant; else it is an integer, a double, a truth value or
//! a string, in this order. A field takes the value only if its own type can hold it: integers widen
//! to doubles, nothing else is converted. A value that does not fit leaves the default.

/// A direction or orientation.
pub type Vector = (f64, f64);

/// No direction.
pub const NONE: Vector = (0.0, 0.0);
/// The value the framework uses for "not chosen yet".
pub const NIL: Vector = (-1.0, -1.0);
/// Up the screen.
pub const UP: Vector = (0.0, -1.0);
/// Left.
pub const LEFT: Vector = (-1.0, 0.0);
/// Down the screen.
pub const DOWN: Vector = (0.0, 1.0);
/// Right.
pub const RIGHT: Vector = (1.0, 0.0);
/// The four directions in the order random choices index them.
pub const DIRECTIONS: [Vector; 4] = [UP, LEFT, DOWN, RIGHT];

const COLOURS: [&str; 21] = [
    "GREEN",
    "BLUE",
    "RED",
    "GRAY",
    "WHITE",
    "BROWN",
    "BLACK",
    "ORANGE",
    "YELLOW",
    "PINK",
    "GOLD",
    "LIGHTRED",
    "LIGHTORANGE",
    "LIGHTBLUE",
    "LIGHTGREEN",
    "DARKGREEN",
    "LIGHTYELLOW",
    "LIGHTGRAY",
    "DARKGRAY",
    "DARKBLUE",
    "RANDOM",
];

/// A converted value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A named direction.
    Direction(Vector),
    /// A named colour.
    Colour,
    /// An integer.
    Int(i32),
    /// A number with a fraction or an exponent.
    Double(f64),
    /// `True` or `False`.
    Bool(bool),
    /// Anything else.
    Text(String),
}

impl Value {
    /// Converts the text of parameter `key`.
    pub fn parse(key: &str, text: &str) -> Value {
        let constant = match text {
            "NONE" | "DNONE" => Some(Value::Direction(NONE)),
            "NIL" | "DNIL" => Some(Value::Direction(NIL)),
            "UP" | "DUP" => Some(Value::Direction(UP)),
            "LEFT" | "DLEFT" => Some(Value::Direction(LEFT)),
            "DOWN" | "DDOWN" => Some(Value::Direction(DOWN)),
            "RIGHT" | "DRIGHT" => Some(Value::Direction(RIGHT)),
            "GRID" => Some(Value::Int(0)),
            "CONT" => Some(Value::Int(1)),
            _ if COLOURS.contains(&text) => Some(Value::Colour),
            _ => None,
        };
        if let Some(constant) = constant {
            return constant;
        }
        let key_is = |names: &[&str]| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        if key_is(&["scoreChange", "scoreChangeIfKilled"]) {
            return Value::Text(text.to_owned());
        }
        if let Ok(int) = text.parse::<i32>() {
            return Value::Int(int);
        }
        if let Some(double) = parse_double(text) {
            return Value::Double(double);
        }
        let truth = text.eq_ignore_ascii_case("true");
        if (truth || text.eq_ignore_ascii_case("false")) && !key_is(&["win", "hidden", "invisible"])
        {
            return Value::Bool(truth);
        }
        Value::Text(text.to_owned())
    }

    /// As an integer field takes it.
    pub fn int(&self) -> Option<i32> {
        match self {
            Value::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// As a field of double precision takes it.
    pub fn double(&self) -> Option<f64> {
        match self {
            Value::Int(int) => Some(f64::from(*int)),
            Value::Double(double) => Some(*double),
            _ => None,
        }
    }

    /// As a truth field takes it.
    pub fn bool(&self) -> Option<bool> {
        match self {
            Value::Bool(bool) => Some(*bool),
            _ => None,
        }
    }

    /// As a text field takes it.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// As a direction field takes it.
    pub fn direction(&self) -> Option<Vector> {
        match self {
            Value::Direction(direction) => Some(*direction),
            _ => None,
        }
    }
}

fn parse_double(text: &str) -> Option<f64> {
    let digits = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    if !digits.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_the_first_kind_that_fits() {
        assert_eq!(Value::parse("x", "UP"), Value::Direction(UP));
        assert_eq!(Value::parse("x", "3").double(), Some(3.0));
        assert_eq!(Value::parse("x", "0.5").int(), None);
        assert_eq!(Value::parse("x", "true"), Value::Bool(true));
        assert_eq!(Value::parse("hidden", "True").text(), Some("True"));
        assert_eq!(Value::parse("scoreChange", "3").text(), Some("3"));
        assert_eq!(Value::parse("stype", "RED").text(), None);
        assert_eq!(Value::parse("stype", "inf").text(), Some("inf"));
    }
}
