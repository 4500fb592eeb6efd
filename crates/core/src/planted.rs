//! Faults that can be planted, to see that they are noticed: a suite of checks that no fault makes
//! fail is worth nothing. Builds with debug assertions, as those of the tests are, can have one,
//! and have none unless [`plant`] is called; in all others, as in the program that users install,
//! the question whether there is one is answered with no when the program is compiled, and leaves
//! no trace.

#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU8, Ordering};

/// A known way to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// The width of displacements goes as D instead of as its square root: noise scaled by the
    /// wrong power of friction.
    NoisePower = 1,
    /// One neighbouring cell is left out when pairs are listed.
    MissingCell = 2,
    /// Balls lose the energy of their collision twice: e² for e.
    RestitutionTwice = 3,
    /// Everything that happens in time happens twice as often.
    RateTwice = 4,
    /// Contacts react with twice the probability.
    BindingTwice = 5,
    /// Particles that touch go back to where they came from, as if the move were rejected, instead
    /// of bouncing.
    BounceRejects = 6,
    /// Particles bounce as if their masses were equal, whatever their diffusion coefficients are.
    EqualMasses = 7,
    /// Polygons rub with twice their coefficient of friction.
    FrictionTwice = 8,
    /// A particle that touches a surface stays there for the rest of the step, instead of bouncing.
    SurfaceStops = 9,
    /// Surfaces that take some, or let some through, do so with twice the probability.
    SurfaceTwice = 10,
    /// A rate constant of two sites that point somewhere is divided by the share of one opening
    /// instead of by both.
    OpeningOnce = 11,
    /// Two that have docked part as they are, without the reverse of what has brought them in line.
    PartInLine = 12,
    /// Pairs gain energy of motion where a potential takes it, and lose it where it gives.
    StepSign = 13,
    /// Pairs that are set free in contact fly apart, and what would bring them together again within
    /// the step is lost.
    ReleasedPairs = 14,
    /// Particles coalesce and fall apart whatever their energy with third particles.
    ThirdParticles = 15,
    /// How much energy a pair may climb before it bounces stays the same for a whole step, although its
    /// paths have changed.
    ClimbKept = 16,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::NoisePower,
        Self::MissingCell,
        Self::RestitutionTwice,
        Self::RateTwice,
        Self::BindingTwice,
        Self::BounceRejects,
        Self::EqualMasses,
        Self::FrictionTwice,
        Self::SurfaceStops,
        Self::SurfaceTwice,
        Self::OpeningOnce,
        Self::PartInLine,
        Self::StepSign,
        Self::ReleasedPairs,
        Self::ThirdParticles,
        Self::ClimbKept,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoisePower => "noise-power",
            Self::MissingCell => "missing-cell",
            Self::RestitutionTwice => "restitution-twice",
            Self::RateTwice => "rate-twice",
            Self::BindingTwice => "binding-twice",
            Self::BounceRejects => "bounce-rejects",
            Self::EqualMasses => "equal-masses",
            Self::FrictionTwice => "friction-twice",
            Self::SurfaceStops => "surface-stops",
            Self::SurfaceTwice => "surface-twice",
            Self::OpeningOnce => "opening-once",
            Self::PartInLine => "part-in-line",
            Self::StepSign => "step-sign",
            Self::ReleasedPairs => "released-pairs",
            Self::ThirdParticles => "third-particles",
            Self::ClimbKept => "climb-kept",
        }
    }
}

/// The number of the fault that is planted; 0 is none.
#[cfg(debug_assertions)]
static PLANTED: AtomicU8 = AtomicU8::new(0);

/// Whether this fault is planted.
#[cfg(debug_assertions)]
#[inline(always)]
pub fn planted(fault: Fault) -> bool {
    PLANTED.load(Ordering::Relaxed) == fault as u8
}

/// Plants a fault for the rest of the process, instead of the one that was.
#[cfg(debug_assertions)]
pub fn plant(fault: Fault) {
    PLANTED.store(fault as u8, Ordering::Relaxed);
}

/// Whether this fault is planted: never, in a build without debug assertions.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub const fn planted(_: Fault) -> bool {
    false
}
