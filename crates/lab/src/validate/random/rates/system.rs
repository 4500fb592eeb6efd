//! One reactive pair among few, with a rate that is typed in some way, and what it looks like as a model file.

/// Where the two partners are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// In a box that closes on itself.
    Periodic,
    /// The first rests in the middle of a box with walls.
    Walls,
    /// The first rests in the middle of a sphere, or a circle, with a reflecting surface.
    Ball,
    /// Both live on a plane, or a line.
    Sheet,
    /// Both live on a sphere, or a circle.
    Round,
    /// The first lives on the floor of a box, the second above it.
    Floor,
}

/// What pairs other than the reactive one do to each other, and this one where it does not react.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interactions {
    Hard,
    /// All others ignore each other; these two bounce.
    Ignoring,
    /// `interactions = "reactive"`: all others ignore each other, and these two pass through each other.
    Reactive,
}

/// What happens when they react.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A + B -> A + C
    Catalysis,
    /// A + B{u} -> A + B{p}
    Switch,
    /// A(k) + B(s~u) -> A(k) + B(s~p)
    SiteSwitch,
    /// A + B -> C
    Conversion,
    /// A + B -> C + E
    Exchange,
    /// A + B -> 0
    Annihilation,
    /// A + B <-> C
    Coalescence,
    /// A bond, without sites.
    Bond,
    /// A(b) + B(a) -> A(b!1).B(a!1), with so many free sites `b`.
    Sites(usize),
    /// A + A -> C
    Dimer,
    /// 2 A -> 0
    Removal,
    /// A(h) + A(t) -> A(h!1).A(t!1)
    HeadToTail,
    /// A(s) + A(s) -> A(s!1).A(s!1), with so many free sites on either.
    Alike(usize),
}

/// How the rate is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// `rate`, the intrinsic rate constant.
    Rate,
    /// `k_on`, the macroscopic one.
    KOn,
    /// `probability`, at each contact.
    Probability,
}

/// What is said of the way back, which takes for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    Never,
    /// `unbind`, or `k_off` with `k_on`.
    Rate,
    /// `K_D`.
    Constant,
}

/// Around the first partner, the second diffuses differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SlowRegion {
    /// Its radius, in contact distances.
    pub(super) to: f64,
    /// The diffusion coefficient of the second partner in it, over that outside.
    pub(super) slower: f64,
    /// How much denser it is there in equilibrium.
    pub(super) affinity: f64,
}

/// One reactive pair. Lengths in nm, times in µs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReactivePair {
    /// Of the box.
    pub(super) dimension: usize,
    pub(super) setting: Setting,
    pub(super) interactions: Interactions,
    pub(super) event: Event,
    pub(super) radii: [f64; 2],
    pub(super) diffusion: [f64; 2],
    pub(super) typed: Typed,
    /// What is typed, of each reaction that competes for the pair, in internal units.
    pub(super) rates: Vec<f64>,
    /// In which unit.
    pub(super) unit: usize,
    pub(super) back: Back,
    /// Shells of energy: where each ends, in contact distances, and its energy \[kT\].
    pub(super) shells: Vec<[f64; 2]>,
    pub(super) slow: Option<SlowRegion>,
    /// Whether the reaction is confined to a half of the box.
    pub(super) half: bool,
    /// The openings of sites that have a direction. \[degrees\]
    pub(super) openings: [Option<f64>; 2],
    /// Whether the first partner has states, of which one reacts and has this size and motion.
    pub(super) states: bool,
    /// Whether the first partner is one of the two spheres of a molecule.
    pub(super) has_mate: bool,
    /// How many bystanders there are, of another species and in the other state.
    pub(super) bystanders: usize,
    /// The search structure.
    pub(super) search: &'static str,
}

impl ReactivePair {
    /// The contact distance. \[nm\]
    pub(super) fn contact(&self) -> f64 {
        self.radii[0] + self.radii[1]
    }

    /// The sum of the diffusion coefficients. \[nm²/µs\]
    pub(super) fn together(&self) -> f64 {
        self.diffusion[0] + self.diffusion[1]
    }

    /// In how many dimensions they meet.
    pub(super) fn meeting(&self) -> usize {
        self.dimension - usize::from(matches!(self.setting, Setting::Sheet | Setting::Round))
    }

    /// Whether both are of one species.
    pub(super) fn is_of_one_kind(&self) -> bool {
        matches!(self.event, Event::Dimer | Event::Removal | Event::HeadToTail | Event::Alike(_))
    }

    /// In how many ways the two can react.
    pub(super) fn ways(&self) -> f64 {
        match self.event {
            Event::Sites(n) => n as f64,
            Event::Alike(n) => (n * n) as f64,
            Event::HeadToTail => 2.0,
            _ => 1.0,
        }
    }

    /// How many of the second partner there are, each of which meets the first as if it were alone: the first
    /// outlasts the event, and either rests in its place or is not pushed by any of them.
    pub(super) fn guests(&self) -> usize {
        let lasts = matches!(self.event, Event::Catalysis | Event::Switch | Event::SiteSwitch);
        let rests = matches!(self.setting, Setting::Walls | Setting::Ball)
            && self.interactions != Interactions::Hard;
        if lasts && (rests || self.overlap()) { 20 } else { 1 }
    }

    /// Whether the two pass through each other where they do not react.
    pub(super) fn overlap(&self) -> bool {
        self.interactions == Interactions::Reactive && self.shells.is_empty()
    }

    /// Where shells and regions have ended. \[nm\]
    pub(super) fn outermost(&self) -> f64 {
        let shells = self.shells.iter().map(|[to, _]| *to);
        self.contact() * shells.chain(self.slow.map(|slow| slow.to)).fold(1.0, f64::max)
    }

    /// The rms step towards each other along an axis. \[nm\]
    pub(super) fn step(&self, timestep: f64) -> f64 {
        (2.0 * self.together() * timestep).sqrt()
    }

    pub(super) fn words(&self) -> String {
        let setting = match self.setting {
            Setting::Periodic => "a periodic box",
            Setting::Walls => "a box with walls",
            Setting::Ball => "a ball",
            Setting::Sheet => "both on a plane",
            Setting::Round => "both on a sphere",
            Setting::Floor => "one on the floor",
        };
        let interactions = match self.interactions {
            Interactions::Hard => "",
            Interactions::Ignoring => ", others ignore each other",
            Interactions::Reactive => ", reactive",
        };
        let typed = match self.typed {
            Typed::Rate => "rate",
            Typed::KOn => "k_on",
            Typed::Probability => "probability",
        };
        let mut text = format!(
            "{}D, {setting}{interactions}: {} by {typed}",
            self.dimension,
            self.reaction(0).replace("reaction = ", "").replace('\n', ", ")
        );
        let more = [
            (!self.shells.is_empty(), ", potential"),
            (self.slow.is_some(), ", another D around"),
            (self.half, ", in half of the box"),
            (self.openings != [None; 2], ", directed"),
            (self.has_mate, ", one of a molecule"),
        ];
        more.iter().filter(|(is, _)| *is).for_each(|(_, word)| text += word);
        text
    }

    /// The edge of what the second's centre has of the box, so wide that neither a few steps nor what is around the
    /// first fill it. \[nm\]
    pub(super) fn edge(&self, timestep: f64) -> f64 {
        let (contact, step) = (self.contact(), self.step(timestep));
        match self.setting {
            Setting::Round => 2.0 * (self.round() + self.contact()),
            // So high that the first finds room in it.
            Setting::Floor => 4.5 * contact + 5.0 * step,
            // Where only a part of the first reacts, there is a way round it.
            _ if self.half || self.openings != [None; 2] => 3.0 * contact + 5.0 * step,
            _ => 2.0 * self.outermost() + 0.4 * contact + 5.0 * step,
        }
    }

    /// The radius of the sphere on which both live. \[nm\]
    pub(super) fn round(&self) -> f64 {
        2.0 * self.contact()
    }

    /// How far the second can be from the first, which is in the middle of a sphere. \[nm\]
    pub(super) fn ball(&self, timestep: f64) -> f64 {
        0.5 * self.edge(timestep)
    }
}
