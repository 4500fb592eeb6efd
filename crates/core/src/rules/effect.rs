//! What rules do, in a row for each kind of rule. Code that needs a part of it does not have to know the kinds.

use super::case::Case;
use super::contact::Action;
use super::timed::{Fragmentation, TimedAction};

/// What happens at a contact, part by part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The word for it in model files.
    pub word: &'static str,
    /// Whether the two are not even looked for.
    pub is_ignored: bool,
    /// Whether the two may overlap.
    pub lets_overlap: bool,
    /// Whether it changes any particle.
    pub reacts: bool,
    /// Whether it makes a bond between the two.
    pub makes_bond: bool,
    /// Whether the two become one sphere, which holds both.
    pub merges: bool,
    /// Whether the two become the products of its cases, which need room and a size.
    pub converts: bool,
    /// How it cuts the cluster of the second, if it does.
    pub cuts: Option<Fragmentation>,
}

/// That of a collision.
const COLLISION: Effect = Effect {
    word: "bounce",
    is_ignored: false,
    lets_overlap: false,
    reacts: false,
    makes_bond: false,
    merges: false,
    converts: false,
    cuts: None,
};

/// That of what changes particles.
const REACTION: Effect = Effect { reacts: true, ..COLLISION };

impl Action {
    /// What it does, part by part.
    #[inline]
    pub const fn effect(self) -> Effect {
        match self {
            Self::Bounce => COLLISION,
            Self::Pass => Effect { word: "pass", lets_overlap: true, ..COLLISION },
            Self::Ignore => {
                Effect { word: "ignore", is_ignored: true, lets_overlap: true, ..COLLISION }
            }
            Self::Bond => Effect { word: "bind", makes_bond: true, ..REACTION },
            Self::Coalesce => Effect { word: "bind", merges: true, ..REACTION },
            Self::Convert => Effect { word: "convert", converts: true, ..REACTION },
            Self::Cut(how) => Effect { word: "fragment", cuts: Some(how), ..REACTION },
        }
    }
}

impl TimedAction {
    /// What it turns into what: the cases of a conversion.
    pub fn conversions(&self) -> &[Case<1>] {
        match self {
            Self::Convert { cases } => cases,
            Self::Unbind { .. } | Self::Create { .. } | Self::Fragment { .. } => &[],
        }
    }

    /// The species that it makes out of nothing.
    pub fn creates(&self) -> Option<u16> {
        match self {
            Self::Create { species, .. } => Some(*species),
            Self::Unbind { .. } | Self::Convert { .. } | Self::Fragment { .. } => None,
        }
    }

    /// The contact rules that it undoes, by their numbers.
    pub fn undone(&self) -> &[u16] {
        match self {
            Self::Unbind { of, .. } => of,
            Self::Convert { .. } | Self::Create { .. } | Self::Fragment { .. } => &[],
        }
    }

    /// The species whose clusters it cuts, and how.
    pub fn cuts(&self) -> Option<(&[u16], Fragmentation)> {
        match self {
            Self::Fragment { species, how } => Some((species, *how)),
            Self::Unbind { .. } | Self::Convert { .. } | Self::Create { .. } => None,
        }
    }
}
