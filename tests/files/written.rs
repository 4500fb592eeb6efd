//! Files as the analysis reads them: everything that was told to the recorder comes back.

use std::collections::BTreeMap;

use jostle::analysis::contacts::Filter;
use jostle::analysis::{self, Cell, LagOptions, ReadError, Scope};
use jostle::model::LogLevel;
use jostle::observe::{Observer, Outcome};
use jostle::record::schema::WALL;
use jostle::record::{RecordError, Recorder, Status};
use jostle::state_hash::state_hash;

use crate::fake::{DIFFUSION, TIMESTEP, World, header, output};
use crate::program::inherited_by_none;

/// Who belongs to whom, as the engine has it.
fn memberships<const D: usize>(world: &World<D>) -> BTreeMap<u64, u64> {
    let slots = 0..world.particles.len();
    slots
        .map(|i| (world.particles.id[i], world.clusters.id_of(&world.particles, i as u32)))
        .collect()
}

#[test]
fn the_first_frame_and_the_changes_give_every_membership() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("replay.h5md");
    let mut world = World::<3>::new(40);
    let mut recorder = world.recorder(&path, output());
    recorder.step(&world.view()).unwrap();
    let mut truth = vec![(memberships(&world), world.clusters.bonds().count())];
    let mut wholes = Vec::new();
    for round in 0..60u64 {
        let r = &mut recorder;
        match round % 6 {
            0 => world.bond(20 + round % 19, 21 + round % 19, r),
            1 => wholes.push(world.coalesce(2 * (round % 5), 2 * (round % 5) + 1, r)),
            2 => world.unbond(20 + (round - 2) % 19, 21 + (round - 2) % 19, r),
            3 => world.split(wholes.pop().unwrap(), r),
            4 => {
                world.bond(20, 30, r);
                world.bond(30, 35, r);
                world.bond(35, 38, r);
            }
            _ => {
                world.unbond(35, 30, r);
                world.unbond(20, 30, r);
                world.unbond(38, 35, r);
            }
        }
        world.step(r);
        truth.push((memberships(&world), world.clusters.bonds().count()));
    }
    recorder.finish(Status::Finished, world.clock).unwrap();

    let reading = analysis::open(&path).unwrap();
    assert_eq!(reading.frames(), 61);
    for (step, (clusters, bonds)) in truth.iter().enumerate() {
        let state = analysis::replay(&reading, step as u64).unwrap();
        assert_eq!(state.cluster_of(), clusters, "step {step}");
        assert_eq!(state.bonds().count(), *bonds, "step {step}");
        // The frame of that step says the same, by itself.
        let frame = reading.frame_data(step..step + 1, 0..reading.slots()).unwrap();
        let pairs = frame.id.iter().zip(&frame.cluster).filter(|(id, _)| **id >= 0);
        let shown: BTreeMap<u64, u64> = pairs.map(|(a, b)| (*a as u64, *b as u64)).collect();
        assert_eq!(&shown, clusters, "frame {step}");
        assert_eq!(reading.bonds(step).unwrap().len(), *bonds, "frame {step}");
    }
}

#[test]
fn cluster_sizes_count_bonded_and_coalesced_particles() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sizes.h5md");
    let mut world = World::<2>::new(10);
    let mut recorder = world.recorder(&path, output());
    recorder.step(&world.view()).unwrap();
    let whole = world.coalesce(0, 1, &mut recorder);
    world.bond(2, 3, &mut recorder);
    world.step(&mut recorder);
    world.bond(whole, 3, &mut recorder);
    world.step(&mut recorder);
    recorder.finish(Status::Finished, world.clock).unwrap();
    let reading = analysis::open(&path).unwrap();
    let sizes = analysis::cluster_sizes(&reading, &Scope::default()).unwrap();
    let shown: Vec<Vec<(u64, u64)>> =
        (sizes.frames.iter()).map(|at| at.clusters.clone().into_iter().collect()).collect();
    assert_eq!(shown, [vec![(1, 10)], vec![(1, 6), (2, 2)], vec![(1, 6), (4, 1)]]);
    assert_eq!(sizes.to_histogram().rows.len(), 5);
    assert_eq!(sizes.frames[2].mean_by_particle(), 2.2);
    let info = analysis::info(&reading).unwrap();
    assert_eq!(info.clusters, Some([7, 4]));
}

#[test]
fn contacts_are_counted_filtered_and_found_by_step() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("contacts.h5md");
    let mut world = World::<3>::new(6);
    let mut recorder = world.recorder(&path, output());
    recorder.step(&world.view()).unwrap();
    // More than a chunk of rows, with gaps between the blocks.
    for step in 0..60u64 {
        if step % 3 == 0 {
            for _ in 0..1000 {
                world.touch(0, 1, Outcome::Bounced, &mut recorder);
            }
            world.touch(1, 2, Outcome::Bound, &mut recorder);
            world.hit_wall(4, &mut recorder);
        }
        world.step(&mut recorder);
    }
    recorder.finish(Status::Finished, world.clock).unwrap();
    let reading = analysis::open(&path).unwrap();
    let counts = |steps: Option<[f64; 2]>| {
        let time = steps.map(|steps| steps.map(|step| step * TIMESTEP));
        let found =
            analysis::contacts_by_pair(&reading, &Filter { time, ..Filter::default() }).unwrap();
        let rows = found.to_table().rows;
        let words = |row: &Vec<Cell>| row[..4].iter().map(ToString::to_string).collect::<Vec<_>>();
        rows.iter().map(|row| words(row).join(" ")).collect::<Vec<_>>()
    };
    let all =
        ["ligand receptor bounced 20000", "ligand receptor bound 20", "ligand wall bounced 20"];
    assert_eq!(counts(None), all);
    let some = ["ligand receptor bounced 2000", "ligand receptor bound 2", "ligand wall bounced 2"];
    assert_eq!(counts(Some([4.0, 11.0])), some);
    assert!(counts(Some([4.0, 6.0])).is_empty());
    let mut rows = Vec::new();
    analysis::visit_contacts(&reading, 30..34, |step, row| rows.push((step, *row))).unwrap();
    assert_eq!(rows.len(), 2004);
    assert_eq!((rows[0].0, rows[1001].0, rows[1002].0), (30, 30, 33));
    let (_, wall) = rows[1001];
    assert_eq!((wall.a, wall.b, wall.time), (4, WALL - 4, 0.75));
    assert_eq!((wall.place, wall.normal), ([1.5, 2.5, 3.5], [-32767, 0, 0]));
    // 5 nm in a step of 250 ns.
    assert_eq!(wall.approach, 0.02);
}

#[test]
fn the_log_keeps_what_was_asked_for() {
    let logged = |level, species: &[u16], walls| -> usize {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.h5md");
        let mut asked = output();
        asked.log = level;
        asked.log_species = species.to_vec();
        asked.log_walls = walls;
        let mut world = World::<2>::new(6);
        let mut recorder = world.recorder(&path, asked);
        assert_eq!(recorder.wants_contacts(), level == LogLevel::All);
        recorder.step(&world.view()).unwrap();
        world.touch(0, 2, Outcome::Bounced, &mut recorder);
        world.touch(0, 1, Outcome::Passed, &mut recorder);
        world.touch(1, 3, Outcome::Refused, &mut recorder);
        world.touch(0, 2, Outcome::Bound, &mut recorder);
        world.hit_wall(0, &mut recorder);
        world.step(&mut recorder);
        recorder.finish(Status::Finished, world.clock).unwrap();
        analysis::info(&analysis::open(&path).unwrap()).unwrap().contacts.unwrap()
    };
    assert_eq!(logged(LogLevel::All, &[], true), 5);
    assert_eq!(logged(LogLevel::All, &[], false), 4);
    assert_eq!(logged(LogLevel::All, &[1], true), 2);
    assert_eq!(logged(LogLevel::Reactions, &[], true), 2);
    assert_eq!(logged(LogLevel::Reactions, &[0], true), 1);
    assert_eq!(logged(LogLevel::None, &[], true), 0);
}

#[test]
fn free_particles_spread_as_their_diffusion_coefficient_says() {
    for single_precision in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("free.h5md");
        let mut world = World::<2>::new(400);
        let mut asked = output();
        asked.single_precision = single_precision;
        asked.compress = single_precision;
        let mut recorder = world.recorder(&path, asked);
        recorder.step(&world.view()).unwrap();
        (0..300).for_each(|_| world.step(&mut recorder));
        recorder.finish(Status::Finished, world.clock).unwrap();
        let reading = analysis::open(&path).unwrap();
        let found = analysis::mean_squared_displacement(
            &reading,
            &Scope::default(),
            &LagOptions::default(),
        )
        .unwrap();
        // Two species, lags of 1 to 200 steps; some cross the box.
        assert_eq!(found.by_species.len(), 2);
        for (k, one) in found.by_species.iter().enumerate() {
            assert_eq!((one.free, one.points.len()), (Some(DIFFUSION[k]), 8));
            for point in &one.points {
                let off = (point.value - 4.0 * DIFFUSION[k] * point.lag) / point.error;
                assert!(off.abs() < 4.5, "{} off by {off} sigma at {} us", one.of, point.lag);
            }
            let fit = one.fit.unwrap();
            let off = [
                (fit.diffusion - DIFFUSION[k]) / fit.diffusion_error,
                (fit.exponent - 1.0) / fit.exponent_error,
            ];
            assert!(off.iter().all(|off| off.abs() < 4.5) && fit.groups == 64, "{fit:?}");
        }
        assert_eq!(found.by_species[0].points[0].lag, TIMESTEP);
        assert!(found.by_size.is_empty(), "all are alone");
    }
}

#[test]
fn the_look_at_a_file_tells_what_is_in_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("info.h5md");
    let mut world = World::<2>::new(10);
    let mut asked = output();
    asked.frame_every = 2;
    let mut recorder = world.recorder(&path, asked);
    recorder.step(&world.view()).unwrap();
    world.coalesce(0, 1, &mut recorder);
    (0..5).for_each(|_| world.step(&mut recorder));
    recorder.finish(Status::Interrupted, world.clock).unwrap();
    let reading = analysis::open(&path).unwrap();
    let info = analysis::info(&reading).unwrap();
    assert_eq!((info.frames, info.seed, info.changes), (3, Some(42), Some(1)));
    assert_eq!(info.span, Some([0.0, 4.0 * TIMESTEP]));
    let counts: Vec<[i64; 2]> = info.species.iter().map(|s| [s.first, s.last]).collect();
    assert_eq!(counts, [[5, 4], [5, 4], [0, 1]]);
    let ends: Vec<(&str, i64)> = info.runs.iter().map(|r| (r.what.as_str(), r.step)).collect();
    assert_eq!(ends, [("started", 0), ("interrupted", 5)]);
    let text = info.to_string();
    assert!(text.contains("100 nm periodic x 80 nm periodic"), "{text}");
    assert!(text.contains("4 in the last") && text.contains("a world by decree"), "{text}");
    assert_eq!(reading.model().unwrap().0, "title = \"µ\"\n");
}

#[test]
fn every_frame_has_the_hash_of_its_state() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hash.h5md");
    let mut world = World::<3>::new(10);
    let mut recorder = world.recorder(&path, output());
    let mut hashes = Vec::new();
    recorder.step(&world.view()).unwrap();
    hashes.push(state_hash(&world.particles, &world.clusters));
    for _ in 0..4 {
        world.step(&mut recorder);
        hashes.push(state_hash(&world.particles, &world.clusters));
    }
    recorder.finish(Status::Finished, world.clock).unwrap();
    let reading = analysis::open(&path).unwrap();
    assert_eq!(reading.state_hashes().unwrap(), hashes);
}

#[test]
fn foreign_and_damaged_files_are_refused_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.h5md");
    let refused = || match analysis::open(&path) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    };
    assert!(matches!(refused(), ReadError::Open { .. }));
    std::fs::write(&path, "time,x,y\n").unwrap();
    assert!(matches!(refused(), ReadError::NotHdf5 { .. }));
    hdf5::File::create(&path).unwrap().create_group("particles").unwrap();
    let error = refused();
    assert!(matches!(error, ReadError::NotH5md { .. }));
    assert!(error.to_string().contains("not an H5MD trajectory"), "{error}");

    let whole = dir.path().join("whole.h5md");
    let mut world = World::<3>::new(1000);
    let mut recorder = world.recorder(&whole, output());
    (0..5).for_each(|_| world.step(&mut recorder));
    recorder.finish(Status::Finished, world.clock).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(matches!(refused(), ReadError::CutShort { .. }));
    let middle = bytes.len() / 2;
    let mangled: Vec<u8> = bytes
        .iter()
        .enumerate()
        .map(|(n, b)| if n >= 48 && n < middle { b ^ 0x55 } else { *b })
        .collect();
    std::fs::write(&path, mangled).unwrap();
    let error = refused();
    let said_so = matches!(
        error,
        ReadError::Damaged { .. } | ReadError::Foreign { .. } | ReadError::NotH5md { .. }
    );
    assert!(said_so, "{error}");
}

#[test]
fn a_file_is_replaced_only_on_demand() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("once.h5md");
    let header = header::<3>(10, output());
    let first = Recorder::<3>::create(&path, &header, false).unwrap();
    first.finish(Status::Finished, World::<3>::new(1).clock).unwrap();
    let refused = Recorder::<3>::create(&path, &header, false).err().unwrap();
    assert!(matches!(refused, RecordError::Exists { .. }), "{refused}");
    assert!(refused.to_string().contains("already exists"), "{refused}");
    inherited_by_none();
    Recorder::<3>::create(&path, &header, true).unwrap();
}

/// Three merge one after the other; then the cluster falls apart, and one part is what it was
/// before.
#[test]
fn the_genealogy_tells_which_cluster_came_of_which() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tree.h5md");
    let mut world = World::<3>::new(6);
    let mut recorder = world.recorder(&path, output());
    let r = &mut recorder;
    r.step(&world.view()).unwrap();
    world.bond(0, 1, r);
    world.step(r);
    world.bond(1, 2, r);
    world.step(r);
    world.unbond(0, 1, r);
    let whole = world.coalesce(3, 4, r);
    world.step(r);
    recorder.finish(Status::Finished, world.clock).unwrap();
    let tree = analysis::genealogy(&analysis::open(&path).unwrap()).unwrap();
    let lives = |cluster: u64| tree.lives.iter().filter(move |life| life.cluster == cluster);
    assert_eq!(
        lives(0).map(|life| (life.born > 0.0, life.died.is_some())).collect::<Vec<_>>(),
        [(false, true), (true, false)]
    );
    let largest = tree.lives.iter().max_by_key(|life| life.largest).unwrap();
    assert_eq!((largest.size, largest.particles()), (3, "2 ligand, 1 receptor".to_owned()));
    let product = lives(whole).next().unwrap();
    assert_eq!((product.size, product.particles()), (2, "1 complex".to_owned()));
    // 0 + 1, that + 2, apart again, 3 + 4.
    assert_eq!(tree.descents.len(), 2 + 2 + 2 + 2);
    assert_eq!(tree.eventful().lives.len(), tree.lives.len() - 1, "particle 5 has no history");
    assert_eq!(tree.related_to(whole).lives.len(), 3);
    assert_eq!(tree.of_size(3).lives.len(), 1);
    let mut text = Vec::new();
    tree.write_graphml(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text.matches("<node ").count(), tree.lives.len());
    assert_eq!(text.matches("<edge ").count(), tree.descents.len());
    assert!(text.contains("<data key=\"rule\">hold</data>"), "{text}");
    let mut text = Vec::new();
    tree.write_dot(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap().matches(" -> ").count(), tree.descents.len());
}
