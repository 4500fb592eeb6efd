//! Rate constants in the units of a model file.

use super::geometry::{Amounts, Geometry};
use super::kinds::RuleKind;
use super::room::Limits;
use super::{Network, OneWay, orders, room};
use jostle_core::formula::{Formula, Operation};

/// How near to the rate at which two partners meet constants may come that change.
const NEARLY_ALL: f64 = 0.999;
/// The rate constant that a formula multiplies is at most this share of what can be had.
const SMALL_SHARE: f64 = 0.01;
/// A larger factor than this brings no rate constant into reach.
const LARGEST_FACTOR: f64 = 1e30;
/// Molecules per cubic micrometre at one mole per litre.
const MOLAR: f64 = 6.022_140_76e8;
/// Nanometres in a micrometre.
const MICROMETRE: f64 = 1e3;

/// The molecules and the geometry that rate constants depend on.
pub(super) struct Rates<'g> {
    pub(super) network: &'g Network,
    pub(super) geometry: &'g Geometry,
    /// Of molecules without room.
    pub(super) limits: &'g Limits,
}

impl Rates<'_> {
    /// The key of a rate constant and its value.
    ///
    /// # Errors
    /// If two partners cannot meet so fast.
    pub(super) fn forwards(
        &self,
        way: &OneWay,
        kind: RuleKind,
    ) -> Result<(&'static str, String), String> {
        if kind.is_at_contact(way) {
            return self.at_contact(way);
        }
        if kind == RuleKind::Unbind && self.dimension(way) == 3 {
            // It undoes bindings that are given by k_on.
            return Ok(("k_off", self.in_time(way)));
        }
        if kind != RuleKind::Create {
            return Ok(("rate", self.in_time(way)));
        }
        let Geometry { time_unit, amounts, rates, .. } = self.geometry;
        match amounts {
            Amounts::Molar { word, .. } => {
                return Ok(("rate", format!("{} {word}/{}", number(way.rate), time_unit.text)));
            }
            Amounts::Molecules if *rates != Amounts::Molecules => {
                return Err(
                    "with `rates` per concentration in the geometry file it is not clear whether molecules are created \
                     per volume or in all: give `units`, too, or use rates per molecule"
                        .to_owned(),
                );
            }
            Amounts::Molecules => {}
        }
        let per = number(way.rate / self.geometry.size_of(way));
        let unit = ["um", "um^2", "um^3"][self.dimension(way) - 1];
        Ok(("rate", format!("{per} /{unit}/{}", time_unit.text)))
    }

    /// A direction whose rate changes with a rate constant that its molecules can have, and the formula
    /// by which that is multiplied, if it changes.
    pub(super) fn based(&self, way: &OneWay) -> (OneWay, Option<Formula>) {
        let mut based = way.clone();
        let Some(law) = way.law.clone() else { return (based, None) };
        if way.reactants.len() < 2 || self.dimension(way) < 3 {
            return (based, Some(law));
        }
        let most = self.ceiling(way);
        let mut times = 1.0;
        while self.per_molar(&based) > SMALL_SHARE * most && times < LARGEST_FACTOR {
            times *= 10.0;
            based.rate = way.rate / times;
        }
        let law = match times {
            1.0 => law,
            _ => Formula::Call(Operation::Times, vec![law, Formula::Number(times)]),
        };
        let most = Formula::Number(most / self.per_molar(&based));
        (based, Some(Formula::Call(Operation::Min, vec![law, most])))
    }

    /// The largest rate constant of two partners if no other rule is for them. \[/M per unit of time\]
    fn ceiling(&self, way: &OneWay) -> f64 {
        let most = match self.geometry.has_room {
            true => None,
            false => Limits::most(way, self.network, self.geometry),
        };
        let most = most.map(|most| most * self.volume_per_time());
        most.or_else(|| Some(NEARLY_ALL * self.most(way)?)).unwrap_or(f64::INFINITY)
    }

    /// The rate of what happens in time.
    pub(super) fn in_time(&self, way: &OneWay) -> String {
        format!("{} /{}", number(way.rate), self.geometry.time_unit.text)
    }

    /// The rate at which a molecule turns into two, which become one by `binding`. The two may meet
    /// again, so that this rate is larger than that at which they are gone.
    pub(super) fn apart(&self, way: &OneWay, binding: &OneWay) -> (&'static str, String) {
        let escape = match self.dimension(binding) {
            3 => 1.0 - self.carried_out(binding) / self.most(binding).unwrap_or(f64::INFINITY),
            _ => 1.0,
        };
        let rate = if escape > 0.0 { way.rate / escape } else { way.rate };
        ("rate", format!("{} /{}", number(rate), self.geometry.time_unit.text))
    }

    /// The key of the rate at which a bond breaks that `binding` makes, beside that of its rate.
    pub(super) fn backward_key(&self, binding: &OneWay) -> &'static str {
        if self.dimension(binding) == 3 { "k_off" } else { "unbind" }
    }

    fn dimension(&self, way: &OneWay) -> usize {
        self.geometry.dimension_of(self.network, way)
    }

    fn at_contact(&self, way: &OneWay) -> Result<(&'static str, String), String> {
        let Geometry { time_unit, .. } = self.geometry;
        let unit = &time_unit.text;
        let size = self.geometry.size_of(way);
        match self.dimension(way) {
            1 => Ok(("rate", format!("{} um/{unit}", number(self.per_pair(way) * size)))),
            2 => Ok(("rate", format!("{} um^2/{unit}", number(self.on_area(way))))),
            _ => {
                self.check_diffusion(way)?;
                Ok(("k_on", format!("{} /M/{unit}", number(self.carried_out(way)))))
            }
        }
    }

    /// The rate at which two partners react that are alone in the compartment. \[1 per unit of time\]
    fn per_pair(&self, way: &OneWay) -> f64 {
        way.rate * orders::factor(way)
    }

    /// What can be carried out of the rate constant of two partners on a surface, or in two dimensions.
    /// \[µm² per unit of time\]
    fn on_area(&self, way: &OneWay) -> f64 {
        let asked = self.per_pair(way) * self.geometry.size_of(way);
        let k_on = self.macroscopic(way);
        let carried_out = self.limits.carried_out(way, k_on, (self.network, self.geometry));
        if carried_out < k_on { asked * (carried_out / k_on) } else { asked }
    }

    /// The rate constant of two partners, per concentration. \[/M per unit of time\]
    fn per_molar(&self, way: &OneWay) -> f64 {
        let rate = self.per_pair(way);
        match self.geometry.rates {
            Amounts::Molecules => rate * self.geometry.size_of(way) * MOLAR,
            Amounts::Molar { molar, .. } => rate / molar,
        }
    }

    /// How much of it can be carried out.
    fn carried_out(&self, way: &OneWay) -> f64 {
        let asked = self.per_molar(way);
        let k_on = self.macroscopic(way);
        let carried_out = self.limits.carried_out(way, k_on, (self.network, self.geometry));
        // In full, it is the constant itself, bit by bit.
        if carried_out < k_on { carried_out * self.volume_per_time() } else { asked }
    }

    /// Rate constants of two partners in nm³/µs, or nm²/µs on a surface, as the limits of what can be
    /// carried out need them.
    pub(super) fn macroscopic(&self, way: &OneWay) -> f64 {
        match self.dimension(way) {
            3 => self.per_molar(way) / self.volume_per_time(),
            flat => {
                let size = self.geometry.size_of(way) * MICROMETRE.powi(flat as i32);
                self.per_pair(way) * size / self.geometry.time_unit.value
            }
        }
    }

    /// One nm³/µs \[/M per unit of time\].
    fn volume_per_time(&self) -> f64 {
        MOLAR * self.geometry.time_unit.value / MICROMETRE.powi(3)
    }

    /// What is to be said of a rule for two partners: that a part of its constant is missing, or what
    /// room changes.
    pub(super) fn remark(&self, way: &OneWay) -> Option<String> {
        if self.geometry.dimension() < 3 || way.reactants.len() < 2 {
            return None;
        }
        if self.dimension(way) < 3 {
            let asked = self.per_pair(way) * self.geometry.size_of(way);
            let missing = 1.0 - self.on_area(way) / asked;
            let [first, second] = orders::partners(way);
            return (missing > 0.0 && way.law.is_none()).then(|| {
                format!(
                    "{:.1} % of its rate constant, {asked:.3e} um^2/{}, cannot be carried out: {first} and {second} \
                     react at every contact on the membrane at this time step",
                    missing * 100.0,
                    self.geometry.time_unit.text,
                )
            });
        }
        if way.law.is_some() {
            let [first, second] = orders::partners(way);
            return Some(format!(
                "its rate follows a formula, up to {}: then {first} and {second} react whenever they meet; larger radii, \
                 faster diffusion or a shorter time step allow more",
                number(self.ceiling(way) / self.per_molar(way))
            ));
        }
        if self.geometry.has_room {
            return room::hidden(self.network, self.geometry, way);
        }
        let (asked, carried_out) = (self.per_molar(way), self.carried_out(way));
        if carried_out >= asked {
            return None;
        }
        let unit = &self.geometry.time_unit.text;
        let [first, second] = orders::partners(way);
        Some(format!(
            "{:.1} % of its rate constant, {asked:.3e} /M/{unit}, cannot be carried out: {first} and {second} meet at \
             4πDR = {:.3e} /M/{unit}, and each contact can lead to one reaction; what parts them keeps its rate",
            (1.0 - carried_out / asked) * 100.0,
            self.most(way).unwrap_or(f64::NAN),
        ))
    }

    /// That at which two partners meet: 4πDR, or the share of it that a membrane leaves free. \[/M per unit
    /// of time\]
    fn most(&self, way: &OneWay) -> Option<f64> {
        let pair = self.geometry.pair(self.network, way)?;
        Some(pair.diffusion_limit()? * self.volume_per_time())
    }

    /// Two partners cannot bind faster than they meet.
    fn check_diffusion(&self, way: &OneWay) -> Result<(), String> {
        let per_molar = self.carried_out(way);
        let Some(most) = self.most(way).filter(|most| per_molar >= *most) else { return Ok(()) };
        let unit = &self.geometry.time_unit.text;
        let [first, second] = orders::partners(way);
        Err(format!(
            "the rate constant comes to {per_molar:.3e} /M/{unit}, but {first} and {second} only meet at 4πDR = \
             {most:.3e} /M/{unit}: larger radii, faster diffusion or a smaller rate constant are needed"
        ))
    }
}

/// A number in at most nine digits: what a product of rounded ones has beyond is noise.
pub(super) fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.1 + 0.2, "0.3"),
            (1e6, "1000000"),
            (6.02214076e8 * 1e-3 / 3.0, "200738.025"),
            (1.5e-7, "1.5e-7"),
            (1e7, "1e7"),
            (0.0, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
