//! How many lanes there are and what processor steps them.

use std::fmt;

#[cfg(target_arch = "x86_64")]
use super::kernel::{Avx2, Avx512};

/// A number of lanes and the code that steps them. All give the same play-outs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Width {
    /// 64 lanes in safe code for any processor.
    Plain64,
    /// 256 lanes in safe code for any processor.
    Plain256,
    /// 512 lanes in safe code for any processor.
    Plain512,
    /// 256 lanes with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx2,
    /// 512 lanes with AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[non_exhaustive]
    Avx512,
}

impl Width {
    /// All that this machine can do, the slowest first.
    pub fn all() -> Vec<Width> {
        let mut widths = vec![Width::Plain64, Width::Plain256, Width::Plain512];
        #[cfg(target_arch = "x86_64")]
        {
            if Avx2::available() {
                widths.push(Width::Avx2);
            }
            if Avx512::available() {
                widths.push(Width::Avx512);
            }
        }
        widths
    }

    /// The fastest that this machine can do.
    pub fn best() -> Width {
        Width::all().pop().unwrap_or(Width::Plain64)
    }

    /// How many lanes there are.
    pub fn lanes(self) -> usize {
        self.words() * 64
    }

    pub(super) fn words(self) -> usize {
        match self {
            Width::Plain64 => 1,
            Width::Plain256 => 4,
            Width::Plain512 => 8,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => 4,
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => 8,
        }
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Width::Plain64 | Width::Plain256 | Width::Plain512 => "plain",
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => "AVX-512",
        };
        write!(f, "{} lanes, {name}", self.lanes())
    }
}
