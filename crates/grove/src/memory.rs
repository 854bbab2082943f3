//! The memory that this process has used at most, where the system tells.

/// Forgets the peak so far, so that the next [`peak`] is that of the work in between.
pub fn forget_peak() {
    // Refused in some containers; the peak then stays that of the whole run.
    #[cfg(target_os = "linux")]
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most bytes this process had in memory at a time.
#[cfg(target_os = "linux")]
pub fn peak() -> Option<u64> {
    peak_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The most bytes this process had in memory at a time: unknown here.
#[cfg(not(target_os = "linux"))]
pub fn peak() -> Option<u64> {
    None
}

#[cfg(any(target_os = "linux", test))]
fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_status() {
        assert_eq!(peak_in("Name:\tgrove\nVmHWM:\t    2048 kB\nVmRSS: 1 kB"), Some(2048 * 1024));
        assert_eq!(peak_in("Name:\tgrove\n"), None);
    }
}
