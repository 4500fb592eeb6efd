//! One ball on a floor, at rest or shaken.

use std::f64::consts::{PI, TAU};

use super::super::statistics::{exact, worse};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{GranularWorld, Hear, ball, between, overlap, run, run_for};
use jostle_core::observe::Contact;
use jostle_core::space::Vector;
use jostle_events::granular::container::{Shaken, Shaking};
use jostle_events::granular::restitution::{Material, Restitution};
use jostle_events::granular::tc::ContactTime;
use jostle_events::granular::units::{METRE, SECOND};
use jostle_events::granular::{Collisions, Grain, Granular};

/// \[nm/µs²\]
const G: f64 = 9.81 * METRE / (SECOND * SECOND);

/// Of a steel ball. \[nm\]
const RADIUS: f64 = 5e-3 * METRE;

/// Steel balls dropped on a floor at rest.
pub(super) fn bouncing_ball(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for (n, e) in (0..).zip([0.5, 0.8, 0.9]) {
        for (k, contact_time) in (0..).zip([1e-6, 1e-4]) {
            let height = between(context.seed(10 * n + k), 0, [0.05, 0.2]);
            drop_ball(&mut findings, e, height * METRE, contact_time * SECOND)?;
        }
    }
    Ok(findings)
}

fn drop_ball(
    findings: &mut Findings,
    e: f64,
    height: f64,
    contact_time: f64,
) -> Result<(), CheckError> {
    let material = Material::default();
    let mut world =
        GranularWorld::closed([0.2 * METRE, 0.2 * METRE, METRE]).falling(G).output_interval(SECOND);
    let contact_time_law = ContactTime::Constant(contact_time);
    world.collisions = Collisions {
        restitution: Restitution::Constant(e),
        material,
        contact_time: contact_time_law,
    };
    let position = Vector([0.1 * METRE, 0.1 * METRE, height + RADIUS]);
    let mass = material.ball_mass(RADIUS);
    let grain = Grain { position, velocity: Vector::ZERO, radius: RADIUS, mass, species: 0 };
    let mut engine = world.start(&[grain])?;
    let total = (2.0 * height / G).sqrt() * (1.0 + e) / (1.0 - e);
    let mut hits = Vec::new();
    engine.advance(
        total,
        &mut Hear(|c: &Contact<3>| {
            hits.push((c.approach / SECOND, (c.step as f64 + c.time) * SECOND))
        }),
    )?;
    let (mut expected, mut due) = ((2.0 * G * height).sqrt(), (2.0 * height / G).sqrt());
    let (mut worst, mut late, mut impacts) = (0.0f64, 0.0f64, 0);
    for (speed, time) in hits {
        // From here on contacts last, and lose nothing.
        if expected < 2.0 * G * contact_time {
            break;
        }
        worst = worse(worst, (speed / expected - 1.0).abs());
        late = worse(late, (time - due).abs() / total);
        expected *= e;
        due += 2.0 * expected / G;
        impacts += 1;
    }
    let name = format!("e = {e}, contact time {:.0e} s, {impacts} impacts", contact_time / SECOND);
    findings.add(exact(&format!("{name}: speeds off from e^k sqrt(2 g h)"), worst, 0.0, 1e-7));
    findings.add(exact(&format!("{name}: times off, of the total"), late, 0.0, 1e-9));
    let least = libm::log(2.0 * G * contact_time / (2.0 * G * height).sqrt()) / libm::log(e);
    findings.add(exact(
        &format!("{name}: their number"),
        f64::from(impacts),
        least.floor() + 1.0,
        0.5,
    ));
    rests(findings, &name, &mut engine, 2.0 * G * contact_time)?;
    findings.add(exact(&format!("{name}: overlap"), overlap(&world, &engine), 0.0, 1e-10));
    Ok(())
}

/// What is left of its motion is that of a contact, which it leaves with the speed `hop`.
fn rests(
    findings: &mut Findings,
    name: &str,
    engine: &mut Granular<3>,
    hop: f64,
) -> Result<(), CheckError> {
    let (mut speed, mut gap) = (0.0f64, 0.0f64);
    for _ in 0..20 {
        run_for(engine, 0.013 * SECOND)?;
        let (flights, now) = (engine.flights(), engine.now());
        speed = worse(speed, flights.velocity_at(0, now)[2].abs() / hop);
        gap = worse(gap, (flights.at(0, now)[2] - RADIUS).abs() * G / (hop * hop));
    }
    findings.add(exact(&format!("{name}: speed at rest, of that of a contact"), speed, 0.0, 1.0));
    findings.add(exact(&format!("{name}: height at rest, of that of a contact"), gap, 0.0, 1.0));
    Ok(())
}

/// A table that moves as A sin(2 pi t), with gravity 1, so that A = Gamma/(2 pi)².
#[derive(Clone, Copy)]
struct Table {
    gamma: f64,
    e: f64,
}

impl Table {
    fn amplitude(self) -> f64 {
        self.gamma / (TAU * TAU)
    }

    /// Of a table with these orbits: below this Gamma there is none of m periods.
    fn least(e: f64, periods: f64) -> f64 {
        PI * periods * (1.0 - e) / (1.0 + e)
    }

    /// Above this one the orbit of m periods doubles its period.
    fn doubling(e: f64, periods: f64) -> f64 {
        Self::least(e, periods).hypot(2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)))
    }

    fn world(self, phase: f64) -> Result<GranularWorld<2>, CheckError> {
        let shaking = Shaking {
            walls: Shaken::All,
            axis: 1,
            amplitude: self.amplitude(),
            frequency: 1.0,
            phase,
        };
        Ok(GranularWorld::shaken([3.0, 40.0], shaking)?.falling(1.0).restitution(self.e))
    }

    /// The phase at which the orbit of m periods hits the table.
    fn phase(self, periods: f64) -> f64 {
        libm::acos((Self::least(self.e, periods) / self.gamma).min(1.0))
    }

    /// Flight times of a ball that starts near the orbit of m periods, after `skipped` of them, and
    /// by how much it overlaps the table in the end.
    fn flights(
        self,
        periods: f64,
        skipped: usize,
        counted: usize,
    ) -> Result<(Vec<f64>, f64), CheckError> {
        let phase = self.phase(periods);
        let world = self.world(phase)?;
        let start = 0.5 + self.amplitude() * libm::sin(phase);
        let mut engine = world.start(&[ball([1.5, start + 1e-12], [0.0, 0.502 * periods])])?;
        let mut times = Vec::new();
        let end = (skipped + counted + 20) as f64 * periods;
        engine.advance(end, &mut Hear(|c: &Contact<2>| times.push(c.step as f64 + c.time)))?;
        let flights = times.windows(2).map(|pair| pair[1] - pair[0]);
        Ok((flights.skip(skipped).take(counted).collect(), overlap(&world, &engine)))
    }

    /// The same by the map from impact to impact, solved by bisection.
    fn mapped(self, periods: f64, skipped: usize, counted: usize) -> Vec<f64> {
        let phase = self.phase(periods);
        let height = |t: f64| self.amplitude() * libm::sin(TAU * t + phase);
        let speed = |t: f64| self.amplitude() * TAU * libm::cos(TAU * t + phase);
        let (mut t, mut v) = (0.0, 0.502 * periods);
        let mut flights = Vec::new();
        for _ in 0..=skipped + counted {
            let gap = |s: f64| height(t) + v * s - 0.5 * s * s - height(t + s);
            let mut high = 1e-3;
            while gap(high) > 0.0 {
                high += 1e-3;
            }
            let mut low = high - 1e-3;
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                *(if gap(middle) > 0.0 { &mut low } else { &mut high }) = middle;
            }
            v = -self.e * (v - low) + (1.0 + self.e) * speed(t + low);
            t += low;
            flights.push(low);
        }
        // The engine's first flight ends with its first impact: it is counted from there on.
        flights.drain(..=skipped);
        flights
    }
}

/// The ball that bounces on a shaken table.
pub(super) fn shaken_floor(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for e in [0.5, 0.7, 0.85] {
        for periods in [1.0, 2.0, 3.0] {
            in_step(&mut findings, e, periods)?;
        }
    }
    for e in context.either(vec![0.7], vec![0.5, 0.7, 0.85]) {
        doubled(&mut findings, e)?;
    }
    locked(context, &mut findings)?;
    for gamma in [1.3, 2.0, 3.0] {
        take_off(&mut findings, gamma)?;
    }
    findings.show(diagram()?);
    Ok(findings)
}

/// Amid the stable range, flights last m periods; just below its end still.
fn in_step(findings: &mut Findings, e: f64, periods: f64) -> Result<(), CheckError> {
    let (least, most) = (Table::least(e, periods), Table::doubling(e, periods));
    for (gamma, skipped) in [(0.5 * (least + most), 300), (0.97 * most, 1500)] {
        let (flights, deep) = Table { gamma, e }.flights(periods, skipped, 50)?;
        let off = flights.iter().map(|t| (t - periods).abs()).fold(0.0, worse);
        let off = if flights.len() == 50 { off } else { f64::NAN };
        let name = format!("e = {e}, Gamma = {gamma:.4}");
        findings.add(exact(&format!("{name}: flights off from {periods} periods"), off, 0.0, 1e-6));
        findings.add(exact(&format!("{name}: overlap"), deep, 0.0, 1e-10));
    }
    Ok(())
}

/// Just above the threshold flights alternate, and as the map says.
fn doubled(findings: &mut Findings, e: f64) -> Result<(), CheckError> {
    let table = Table { gamma: 1.02 * Table::doubling(e, 1.0), e };
    let (flights, _) = table.flights(1.0, 3000, 2)?;
    let mut found = flights.clone();
    let mut expected = table.mapped(1.0, 3000, 2);
    found.sort_by(f64::total_cmp);
    expected.sort_by(f64::total_cmp);
    let name = format!("e = {e}, Gamma = {:.4}, 2 % above doubling", table.gamma);
    for (k, what) in ["short", "long"].iter().enumerate() {
        let time = found.get(k).copied().unwrap_or(f64::NAN);
        findings.add(exact(&format!("{name}: {what} flight"), time, expected[k], 1e-6));
    }
    findings.add(exact(
        &format!("{name}: long less short, at least 0.1"),
        f64::from(expected[1] - expected[0] > 0.1),
        1.0,
        0.1,
    ));
    if e == 0.7 {
        findings.add(exact(&format!("{name}: short flight as printed"), found[0], 0.906, 2e-3));
    }
    Ok(())
}

/// Below Gamma = 1 the table carries the ball along; it never leaves by more than the hop of a
/// contact.
fn locked(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    for gamma in [0.5, 0.9] {
        let world = Table { gamma, e: 0.5 }.world(0.0)?.contact_time(1e-3);
        let height = between(context.seed(99), 0, [0.6, 0.9]);
        let mut engine = world.start(&[ball([1.5, height], [0.0, 0.0])])?;
        run(&mut engine, 10.0)?;
        let (mut most, mut least) = (0.0f64, 0.0f64);
        for _ in 0..500 {
            run_for(&mut engine, 0.0137)?;
            let end = engine.now();
            let table = gamma / (TAU * TAU) * libm::sin(TAU * end);
            let gap = engine.flights().at(0, end)[1] - 0.5 - table;
            (most, least) = (worse(most, gap), worse(least, -gap));
        }
        let name = format!("locked, Gamma = {gamma}");
        findings.add(exact(&format!("{name}: gap"), most, 0.0, 1e-5));
        findings.add(exact(&format!("{name}: overlap"), least, 0.0, 1e-10));
    }
    Ok(())
}

/// Above it the ball leaves where the table falls away faster than the ball: at sin(omega t) =
/// 1/Gamma.
fn take_off(findings: &mut Findings, gamma: f64) -> Result<(), CheckError> {
    // The table starts at its lowest, with the ball on it.
    let phase = -0.5 * PI;
    let world = Table { gamma, e: 0.1 }.world(phase)?.contact_time(1e-4);
    let start = 0.5 - gamma / (TAU * TAU) + 1e-13;
    let mut engine = world.start(&[ball([1.5, start], [0.0, 0.0])])?;
    let mut times = vec![0.0];
    engine.advance(0.9, &mut Hear(|c: &Contact<2>| times.push(c.step as f64 + c.time)))?;
    times.push(0.9);
    // Until then it hops by parts of the contact time.
    let flight = times.windows(2).find(|pair| pair[1] - pair[0] > 0.02);
    let left = flight.map_or(f64::NAN, |pair| pair[0]);
    let expected = (libm::asin(1.0 / gamma) - phase) / TAU;
    findings.add(exact(&format!("take-off at Gamma = {gamma}, in periods"), left, expected, 2e-3));
    Ok(())
}

/// Flight times over Gamma, with the thresholds.
fn diagram() -> Result<Picture, CheckError> {
    let e = 0.7;
    let (least, most) = (Table::least(e, 1.0), Table::doubling(e, 1.0));
    let mut points = Vec::new();
    for k in 1..=24 {
        let gamma = least + (1.06 * most - least) * f64::from(k) / 24.0;
        let (flights, _) = Table { gamma, e }.flights(1.0, 800, 4)?;
        points.extend(flights.into_iter().map(|time| [gamma, time]));
    }
    let title = "A ball on a shaken floor, e = 0.7: period doubling";
    Ok(Picture::new(title, "Gamma = A omega^2/g", "time of flight in periods")
        .theory("one period, stable", vec![[least, 1.0], [most, 1.0]])
        .theory("threshold of doubling", vec![[most, 0.8], [most, 1.2]])
        .measured("flights", points, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::{PI, Table};

    #[test]
    fn thresholds_and_the_map_are_as_printed() {
        for (e, least, most) in
            [(0.5, PI / 3.0, 1.5268), (0.7, 0.5544, 1.1707), (0.85, 0.2547, 1.0383)]
        {
            assert!((Table::least(e, 1.0) - least).abs() < 5e-5);
            assert!((Table::doubling(e, 1.0) - most).abs() < 5e-5);
        }
        let e = 0.7;
        let steady = Table { gamma: 0.95 * Table::doubling(e, 1.0), e }.mapped(1.0, 600, 10);
        assert!(steady.iter().all(|time| (time - 1.0).abs() < 1e-9), "{steady:?}");
        let mut doubled = Table { gamma: 1.02 * Table::doubling(e, 1.0), e }.mapped(1.0, 1000, 2);
        doubled.sort_by(f64::total_cmp);
        assert!(
            (doubled[0] - 0.906).abs() < 2e-3 && (doubled[1] - 1.094).abs() < 2e-3,
            "{doubled:?}"
        );
    }
}
