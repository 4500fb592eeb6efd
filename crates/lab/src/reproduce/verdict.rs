//! What became of what is printed.

/// What became of a printed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedVerdict {
    /// Ours is within the band.
    Reproduced,
    /// It is not.
    Differs,
    /// The paper does not say enough to try.
    NotReproducible,
}

impl PrintedVerdict {
    /// Reproduced if it holds, else different.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Reproduced } else { Self::Differs }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Differs => "differs",
            Self::NotReproducible => "not reproducible from the paper",
        }
    }
}
