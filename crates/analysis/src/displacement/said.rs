//! What a reader has to know of a mean squared displacement beside its numbers.

use super::{Displacement, Displacements};
use jostle_core::words::{abridged, digits, length_in_unit, time_text, with_error};

/// By so many standard errors D at long times differs from that at short ones.
const CHANGED: f64 = 4.0;

impl Displacements {
    fn all(&self) -> impl Iterator<Item = &Displacement> {
        self.by_species.iter().chain(&self.by_size)
    }

    /// Whether D at long times differs from that at short ones, of any.
    pub(crate) fn changes(&self) -> bool {
        self.all().any(Displacement::changes)
    }

    /// What has to be known of drifts, of confinement, and of curves that no single number describes.
    pub fn said(&self) -> Vec<String> {
        abridged(self.all().flat_map(Displacement::said), "notes")
    }
}

impl Displacement {
    fn changes(&self) -> bool {
        let long = self.fit.and_then(|fit| fit.long);
        long.is_some_and(|long| long.change.abs() > CHANGED)
    }

    fn said(&self) -> Vec<String> {
        let confined = self.confinement();
        let bent = if confined.is_none() { self.bend() } else { None };
        self.drifting().into_iter().chain(confined).chain(bent).collect()
    }

    /// The axes with something, in words.
    fn axes_with<T>(of: &[Option<T>; 3]) -> String {
        let axes = ["x", "y", "z"].into_iter().zip(of).filter(|(_, one)| one.is_some());
        let names: Vec<&str> = axes.map(|(axis, _)| axis).collect();
        match &names[..] {
            [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
            _ => names.concat(),
        }
    }

    fn drifting(&self) -> Option<String> {
        let lag = self.points.last()?.lag;
        let along = ["x", "y", "z"].into_iter().zip(self.drift);
        let parts = along.filter_map(|(axis, drift)| {
            let [velocity, error] = drift?;
            // nm/µs in µm/s.
            let [velocity, error] = with_error(1e3 * velocity, 1e3 * error);
            Some(format!("{velocity} ± {error} µm/s along {axis}"))
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty() && lag > 0.0).then(|| {
            format!(
                "({}: it drifts, by {}; D is that of the motion beside the drift, the MSD includes it)",
                self.of,
                parts.join(" and ")
            )
        })
    }

    fn confinement(&self) -> Option<String> {
        let levels = || self.levels.iter().flatten();
        let count = levels().count();
        if count == 0 {
            return None;
        }
        let [level, first] =
            levels().fold([0.0; 2], |[a, b], [level, first]| [a + level, b + first]);
        let typical = (level / count as f64).sqrt();
        let (typical, unit) = length_in_unit(typical, typical);
        let mut said = format!(
            "({}: the MSD along {} levels off, at a root mean square of {} {unit} along each axis: the particles are \
             confined, or caged by others",
            self.of,
            Self::axes_with(&self.levels),
            digits(typical, 3)
        );
        let share = first / level;
        if share > 0.005 {
            let shortest = time_text(self.points.first()?.lag);
            // Between plane walls at a distance of L, D from a lag t is too small by the share
            // 8/(3 π^½) (D t)^½ / L, and the level is L²/6.
            let short = 43.4 * share.sqrt() * count as f64 / self.axes as f64;
            let how = match share < 0.6 {
                true => format!("some {} % too small (of plane walls)", digits(short, 1)),
                false => "far too small".to_owned(),
            };
            said += &format!(
                "; after the shortest lag, {shortest}, it is at {} % of that already, which makes D {how}: frames have \
                 to be closer together",
                digits(100.0 * share, 2)
            );
        }
        Some(said + ")")
    }

    /// That one line does not fit.
    fn bend(&self) -> Option<String> {
        let fit = self.fit?;
        let long = fit.long.filter(|_| self.changes())?;
        let [short, long_d] =
            [(fit.diffusion, fit.diffusion_error), (long.diffusion, long.diffusion_error)]
                .map(|(d, error)| with_error(d, error).join(" ± "));
        let still = if long.is_straight && (long.exponent - 1.0).abs() <= 3.0 * long.exponent_error
        {
            ""
        } else {
            ", where it still depends on the lag"
        };
        Some(format!(
            "({}: one D does not describe it: {short} µm²/s up to {}, {long_d} from {} to {}{still})",
            self.of,
            time_text(fit.up_to),
            time_text(long.between[0]),
            time_text(long.between[1]),
        ))
    }
}
