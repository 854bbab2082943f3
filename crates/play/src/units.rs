//! Numbers and times as people write them, in and out.

use std::time::Duration;

use indicatif::HumanCount;

/// Reads a time: `2`, `0.5` (seconds), `500ms`, `2s`, `1m 30s`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    const EXAMPLES: &str = "write it like 2, 0.5, 500ms, 2s or 1m";
    let time = match text.trim().parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds)
            .map_err(|_| format!("a time cannot be {}; {EXAMPLES}", text.trim()))?,
        Err(_) => humantime::parse_duration(text.trim())
            .map_err(|_| format!("this is not a time; {EXAMPLES}"))?,
    };
    if time.is_zero() {
        return Err(format!("the time must be longer than 0; {EXAMPLES}"));
    }
    if time > Duration::from_secs(7 * 24 * 3600) {
        return Err(format!("more than a week is surely not meant; {EXAMPLES}"));
    }
    Ok(time)
}

/// Reads a number: `5000`, `5_000`, `5,000`, `5k`, `2M`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let bare: String = text.trim().chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let (digits, factor) = match bare.char_indices().last() {
        Some((at, 'k' | 'K')) => (&bare[..at], 1_000),
        Some((at, 'm' | 'M')) => (&bare[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&bare[..at], 1_000_000_000),
        _ => (&bare[..], 1),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| "this is not a whole number; write it like 5000, 5_000, 5k or 2M".to_owned())
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A rate, rounded so that it can be read.
pub fn rate(number: f64) -> String {
    if number >= 100.0 {
        // Far below 2^64 for anything a machine can count in a second.
        grouped(number.round() as u64)
    } else {
        format!("{number:.1}")
    }
}

/// A time, rounded so that it can be read.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{} min {} s", s as u64 / 60, s as u64 % 60),
    }
}

/// `count` of something: `1 error`, `2 errors`, `2 matches`.
pub fn plural(count: usize, thing: &str) -> String {
    let s = match count {
        1 => "",
        _ if thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {thing}{s}", grouped(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_kindly() {
        let millis = |text: &str| parse_duration(text).map(|time| time.as_millis());
        assert_eq!(millis("2"), Ok(2000));
        assert_eq!(millis(" 0.5 "), Ok(500));
        assert_eq!(millis("500ms"), Ok(500));
        assert_eq!(millis("1m 30s"), Ok(90_000));
        for bad in ["", "0", "-1", "nan", "inf", "1e300", "soon", "99999999999h", "8d"] {
            assert!(millis(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_read_kindly() {
        assert_eq!(parse_count("5_000"), Ok(5000));
        assert_eq!(parse_count("5,000"), Ok(5000));
        assert_eq!(parse_count("5k"), Ok(5000));
        assert_eq!(parse_count("2M"), Ok(2_000_000));
        for bad in ["", "k", "-1", "1.5", "5kk", "99999999999999999999", "99999999999999G", "é"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_are_shown_in_fitting_units() {
        assert_eq!(time(Duration::from_micros(12)), "12 µs");
        assert_eq!(time(Duration::from_millis(12)), "12 ms");
        assert_eq!(time(Duration::from_millis(1234)), "1.23 s");
        assert_eq!(time(Duration::from_secs(125)), "2 min 5 s");
    }
}
