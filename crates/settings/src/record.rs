//! All options of a part at once, for code that has a list of records and reads the values later.

use crate::error::SettingsError;
use crate::options::{Composition, Options};
use crate::parameter::{Kind, Parameter};
use crate::part::{Part, Value};

/// The values of all parameters of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Record(Vec<(&'static str, Value)>);

impl Record {
    /// Reads the options of a part, which has no other options than those of the list.
    pub fn read(part: &Part, parameters: &[Parameter]) -> Result<Record, SettingsError> {
        let mut composition = Composition::<()>::default();
        let mut options = Options::new(part, &mut composition);
        let mut values = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let value = match parameter.kind {
                Kind::Real | Kind::Whole | Kind::Flag => Value::Number(options.number(parameter)?),
                Kind::Word(words) => {
                    let words: Vec<_> = words.iter().map(|&word| (word, word)).collect();
                    Value::from(options.word(parameter.name, &words)?)
                }
                Kind::Text { .. } | Kind::Part(_) => Value::from(&*options.text(parameter)),
            };
            values.push((parameter.name, value));
        }
        options.finish()?;
        Ok(Record(values))
    }

    fn get(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|(key, _)| *key == name);
        &found.unwrap_or_else(|| panic!("there is no parameter {name}")).1
    }

    /// A number.
    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => *number,
            other => panic!("{name} is {other}, not a number"),
        }
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> u32 {
        self.real(name) as u32
    }

    /// A word or text.
    pub fn word(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Part(part) => &part.name,
            other => panic!("{name} is {other}, not a word"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[Parameter] = &[
        Parameter::whole("size", 8.0, (2.0, 30.0), "rows"),
        Parameter::word("order", &["up", "down"], "of rows"),
        Parameter::text("lengths", "1,d", "lengths with commas between", "of tuples"),
    ];

    fn read(given: &[(&str, &str)]) -> Result<Record, String> {
        let part = Part::from_texts("game", given).map_err(|error| error.to_string())?;
        Record::read(&part, LIST).map_err(|error| error.to_string())
    }

    #[test]
    fn given_values_and_defaults() {
        let plain = read(&[]).unwrap();
        assert_eq!((plain.whole("size"), plain.word("order")), (8, "up"));
        assert_eq!(plain.word("lengths"), "1,d");
        let given = read(&[("size", "3"), ("order", " down"), ("lengths", "2,3")]).unwrap();
        assert_eq!((given.real("size"), given.word("order")), (3.0, "down"));
        assert_eq!(given.word("lengths"), "2,3");
        let list = Part::named("game").with("lengths", Value::List(vec![1.0.into(), "d".into()]));
        assert_eq!(Record::read(&list, LIST).unwrap().word("lengths"), "[1, d]");
    }

    #[test]
    fn mistakes_name_key_and_range() {
        let wrong = |key: &str, value: &str| read(&[(key, value)]).unwrap_err();
        assert_eq!(wrong("sise", "3"), "`game` has no option `sise`; did you mean `size`?");
        let range = "`size` of `game` must be a whole number between 2 and 30, not";
        assert_eq!(wrong("size", "41"), format!("{range} `41`"));
        assert_eq!(wrong("size", "many"), format!("{range} `many`"));
        assert_eq!(wrong("size", "NaN"), format!("{range} `NaN`"));
        assert_eq!(
            wrong("order", "dwn"),
            "`order` knows no `dwn`; there are: up, down; did you mean `down`?"
        );
        let twice = read(&[("size", "3"), ("size", "4")]).unwrap_err();
        assert_eq!(twice, "`size` of `game` is given twice");
    }
}
