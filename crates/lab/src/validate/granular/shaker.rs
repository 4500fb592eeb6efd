//! The shaken box: where its energy goes; and that no structure loses a contact there.

use super::super::statistics::{exact, worse};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{
    GranularWorld, energy, heat, lattice, listen_for, overlap, run, scattered, uniform,
};
use jostle_core::observe::Contact;
use jostle_core::space::Domain;
use jostle_events::granular::Grain;
use jostle_events::granular::container::{Container, Shaken, Shaking};
use jostle_events::granular::units::JOULE;
use jostle_events::kinetic::KineticKind;

/// A shaken box with sixty disks.
struct Box2 {
    name: &'static str,
    gravity: f64,
    amplitude: f64,
    e: f64,
    contact_time: f64,
    /// How long it is shaken, in all.
    time: f64,
    kind: KineticKind,
}

/// Work of the walls, heat, and energy of the grains.
pub(super) fn balance(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let long = context.either(1.0, 10.0);
    let boxes = [
        Box2 {
            name: "dilute",
            gravity: 1.0,
            amplitude: 0.3,
            e: 0.9,
            contact_time: 1e-3,
            time: 20.0 * long,
            kind: KineticKind::Laguerre,
        },
        Box2 {
            name: "nearly at rest",
            gravity: 1.0,
            amplitude: 0.02,
            e: 0.7,
            contact_time: 1e-2,
            time: 5.0 * long,
            kind: KineticKind::Segments,
        },
        Box2 {
            name: "without gravity",
            gravity: 0.0,
            amplitude: 0.5,
            e: 0.8,
            contact_time: 0.0,
            time: 40.0 * long,
            kind: KineticKind::Levels,
        },
    ];
    for (n, one) in (0..).zip(&boxes) {
        keep_balance(context.seed(n), one, &mut findings)?;
    }
    Ok(findings)
}

fn shaking(seed: u64, axis: usize, amplitude: f64) -> Shaking {
    Shaking {
        walls: Shaken::All,
        axis,
        amplitude,
        frequency: 0.5 + 0.3 * uniform(seed, 0, 1),
        phase: 6.0 * uniform(seed, 0, 2),
    }
}

fn disks(seed: u64) -> Vec<Grain<2>> {
    let mut grains = lattice([10, 6], [12.0, 10.0]);
    grains.iter_mut().for_each(|grain| grain.position[1] += 1.0);
    heat(&mut grains, 0.2, seed);
    grains
}

fn keep_balance(seed: u64, one: &Box2, findings: &mut Findings) -> Result<(), CheckError> {
    let world =
        GranularWorld::shaken([12.0, 30.0], shaking(seed, 1, one.amplitude))?.falling(one.gravity);
    let world = world.restitution(one.e).contact_time(one.contact_time).kind(one.kind);
    let mut engine = world.start(&disks(seed))?;
    let begin = energy(&engine);
    let (mut lost, mut sum, mut count) = (0.0, 0.0, 0u64);
    let (mut worst, mut deep) = (0.0f64, 0.0f64);
    let (mut given, mut taken) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        listen_for(&mut engine, one.time / 20.0, |contact: &Contact<2>| {
            let heat = contact.impact.map_or(f64::NAN, |impact| impact.energy_lost * JOULE);
            lost += heat;
            sum += heat.abs();
            count += 1;
        })?;
        let balance = engine.balance();
        let change = balance.kinetic + balance.potential - begin;
        let scale = balance.wall_work.abs() + balance.dissipated + begin.abs();
        worst = worse(worst, (change - balance.wall_work + balance.dissipated).abs() / scale);
        deep = worse(deep, overlap(&world, &engine));
        given.push([engine.now(), balance.wall_work]);
        taken.push([engine.now(), balance.dissipated + change]);
    }
    let (balance, tally) = (engine.balance(), engine.tally());
    let name = format!("{}, {}", one.name, one.kind.name());
    findings.add(exact(&format!("{name}: gap in the energy balance, relative"), worst, 0.0, 1e-10));
    let reported = (lost - balance.dissipated).abs() / sum;
    findings.add(exact(
        &format!("{name}: heat told of {count} contacts, off from the energy balance"),
        reported,
        0.0,
        1e-10,
    ));
    let counted = (tally.collisions + tally.wall_collisions) as f64;
    findings.add(exact(&format!("{name}: contacts told"), count as f64, counted, 0.5));
    let none_lost = f64::from(u8::from(count > 500 && balance.dissipated > 0.5));
    findings.add(exact(&format!("{name}: enough happened"), none_lost, 1.0, 0.1));
    findings.add(exact(&format!("{name}: overlap"), deep, 0.0, 1e-10));
    findings.add(exact(&format!("{name}: contacts found too late"), tally.late as f64, 0.0, 0.5));
    if one.name == "dilute" {
        findings.show(
            Picture::new("Energy of a shaken box", "time", "energy")
                .theory("work of the walls", given)
                .measured("heat, and what the grains gained", taken, Vec::new()),
        );
    }
    Ok(())
}

/// One course of events, whatever finds the neighbours.
pub(super) fn structures(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (seed, long) = (context.seed(1), context.either(1.0, 6.0));
    let world =
        GranularWorld::shaken([12.0, 30.0], shaking(seed, 1, 0.4))?.falling(1.0).restitution(0.8);
    agree(&mut findings, "shaken disks", &world.contact_time(1e-3), &disks(seed), 15.0 * long)?;
    let radii: Vec<f64> = (0..80).map(|n| 20.0 * libm::pow(0.02, f64::from(n) / 79.0)).collect();
    for (name, world) in [
        ("closed", GranularWorld::closed([150.0; 2])),
        ("periodic", GranularWorld::periodic([150.0; 2])),
    ] {
        let mut grains = scattered(&world, &radii, context.seed(2));
        heat(&mut grains, 1000.0, context.seed(3));
        agree(&mut findings, &format!("disks 1 : 50, {name}"), &world, &grains, 20.0 * long)?;
    }
    let domain = Domain::new([7.0, 7.0, 12.0], [false; 3]);
    let container = Container::cylinder(domain, 2, Some(shaking(seed, 2, 0.4)))?;
    let world = GranularWorld::of(container).falling(1.0).restitution(0.8).contact_time(1e-3);
    let mut grains = scattered(&world, &[0.5; 60], context.seed(4));
    heat(&mut grains, 1.0, context.seed(5));
    agree(&mut findings, "shaken cylinder", &world, &grains, 12.0 * long)?;
    let mut grains = lattice([5; 3], [7.0; 3]);
    heat(&mut grains, 1.0, context.seed(6));
    agree(
        &mut findings,
        "periodic spheres",
        &GranularWorld::periodic([7.0; 3]),
        &grains,
        15.0 * long,
    )?;
    Ok(findings)
}

fn agree<const D: usize>(
    findings: &mut Findings,
    name: &str,
    world: &GranularWorld<D>,
    grains: &[Grain<D>],
    end: f64,
) -> Result<(), CheckError> {
    let mut reference = world.clone().kind(KineticKind::Direct).start(grains)?;
    run(&mut reference, end)?;
    let tally = reference.tally();
    let contacts = tally.collisions + tally.wall_collisions;
    for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(D)) {
        let mut engine = world.clone().kind(kind).start(grains)?;
        run(&mut engine, end)?;
        let apart = |i: u32| (engine.flights().at(i, end) - reference.flights().at(i, end)).norm();
        let most = (0..grains.len() as u32).map(apart).fold(0.0, worse);
        let what = format!("{name}, {contacts} contacts, {}", kind.name());
        if kind != KineticKind::Direct {
            findings.add(exact(
                &format!("{what}: off from looking at all pairs"),
                most,
                0.0,
                1e-12,
            ));
        }
        findings.add(exact(&format!("{what}: overlap"), overlap(world, &engine), 0.0, 1e-10));
        findings.add(exact(
            &format!("{what}: found too late"),
            engine.tally().late as f64,
            0.0,
            0.5,
        ));
    }
    Ok(())
}
