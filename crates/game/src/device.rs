//! Games that a device answers for.

use std::ops::{Add, Sub};

/// What a device was asked and what that took it. How long that is depends on its clock and on the
/// way to it, which are not known here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceUse {
    /// Calls from the host.
    pub calls: u64,
    /// Clock cycles.
    pub cycles: u64,
}

impl Add for DeviceUse {
    type Output = DeviceUse;

    fn add(self, other: DeviceUse) -> DeviceUse {
        DeviceUse { calls: self.calls + other.calls, cycles: self.cycles + other.cycles }
    }
}

impl Sub for DeviceUse {
    type Output = DeviceUse;

    /// What was used since `earlier`.
    fn sub(self, earlier: DeviceUse) -> DeviceUse {
        DeviceUse {
            calls: self.calls.saturating_sub(earlier.calls),
            cycles: self.cycles.saturating_sub(earlier.cycles),
        }
    }
}
