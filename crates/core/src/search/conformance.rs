//! The shared runner: holds every structure, in every setting, to the law of `search`: too many
//! pairs are allowed, too few never, none twice. A new structure adds a line to `every_setting`.

use std::collections::HashSet;

use super::conformance_scenes::{Scene, scenes};
use super::{
    Auto, Cells, EndpointSearch, Kind, Levels, Listing, LongStep, Naive, Pair, Relink, Resize,
    Search, Settings, Verlet, least_cell_size,
};
use crate::space::Window;

/// What the runner asks of a structure beyond searching.
trait Subject<const D: usize>: Search<D> {
    /// Panics if the structure contradicts itself.
    fn examine(&self) {}
}

impl<const D: usize> Subject<D> for Naive {}
impl<const D: usize> Subject<D> for Auto<D> {}
impl<const D: usize> Subject<D> for LongStep<D> {}
impl<const D: usize> Subject<D> for Verlet<D> {}
impl<const D: usize> Subject<D> for Cells<D> {
    fn examine(&self) {
        self.assert_well_formed();
    }
}
impl<const D: usize> Subject<D> for Levels<D> {
    fn examine(&self) {
        self.assert_well_formed();
    }
}
impl<const D: usize> Subject<D> for EndpointSearch<D> {
    fn examine(&self) {
        self.assert_well_formed();
    }
}

fn build<const D: usize>(settings: &Settings) -> Box<dyn Subject<D>> {
    match settings.kind {
        Kind::Naive => Box::new(Naive::new()),
        Kind::Cubic => Box::new(super::cubic(settings)),
        Kind::Slices => Box::new(super::slices(settings)),
        Kind::Levels => Box::new(Levels::new(settings)),
        Kind::Endpoints => Box::new(EndpointSearch::new()),
        Kind::LongStep => Box::new(LongStep::new()),
        Kind::Verlet => Box::new(Verlet::new(settings)),
        Kind::Auto => Box::new(Auto::new(settings)),
    }
}

/// Every structure in every setting.
fn every_setting<const D: usize>() -> Vec<Settings> {
    let mut all = Vec::new();
    let plain = [
        Kind::Naive,
        Kind::Auto,
        Kind::Endpoints,
        Kind::LongStep,
        Kind::Verlet,
        Kind::Cubic,
        Kind::Levels,
    ];
    let mut kinds = plain.map(|kind| (kind, 0)).to_vec();
    kinds.extend((0..D).map(|axis| (Kind::Slices, axis)));
    for (kind, axis) in kinds {
        let free: usize = match kind {
            Kind::Naive | Kind::Auto | Kind::Endpoints | Kind::LongStep | Kind::Verlet => 1,
            Kind::Cubic | Kind::Slices | Kind::Levels => 16,
        };
        all.extend((0..free).map(|bits| Settings {
            kind,
            axis,
            relink: Relink::ALL[bits & 1],
            listing: Listing::ALL[bits >> 1 & 1],
            pruning: bits & 4 != 0,
            cell_size: (bits & 8 != 0).then_some(1.3),
            resize: [Resize::Auto, Resize::Never, Resize::Every(1), Resize::Every(3)]
                [(bits ^ bits >> 2) & 3],
        }));
    }
    all
}

/// Holds what the structure says to what touches. Contacts before `floor` do not count.
fn compare<const D: usize>(
    scene: &Scene<D>,
    structure: &dyn Subject<D>,
    floor: f64,
) -> Result<(), String> {
    structure.examine();
    let paths = scene.paths();
    let mut pairs = Vec::new();
    structure.pairs(&paths, &mut pairs);
    let listed: HashSet<Pair> = pairs.iter().copied().collect();
    if listed.len() != pairs.len() {
        return Err("a pair was listed twice".into());
    }
    for &Pair(i, j) in &pairs {
        if i >= j || !scene.could_touch(i, j) {
            return Err(format!("{i} and {j} were listed for nothing"));
        }
    }
    let touching = scene.touching(floor);
    if let Some(pair) = touching.iter().find(|pair| !listed.contains(pair)) {
        return Err(format!("{pair:?} was not listed, of {}", touching.len()));
    }
    let mut around = vec![HashSet::new(); paths.len()];
    for i in (0..paths.len() as u32).filter(|&i| paths.alive[i as usize]) {
        let mut near = Vec::new();
        structure.near(i, &paths, &mut near);
        around[i as usize].extend(near.iter().copied());
        if around[i as usize].len() != near.len() || near.contains(&i) {
            return Err(format!("near {i} are {near:?}"));
        }
        let in_vain = |&&j: &&u32| !scene.could_touch(i, j);
        if let Some(j) = near.iter().find(in_vain) {
            return Err(format!("{j} is near {i} for nothing"));
        }
    }
    let near = |i: u32, j: u32| around[i as usize].contains(&j);
    let one_sided = |pair: &&Pair| !(near(pair.0, pair.1) && near(pair.1, pair.0));
    match touching.iter().find(one_sided) {
        Some(pair) => Err(format!("{pair:?} are not near each other")),
        None => Ok(()),
    }
}

/// How many changes a scene goes through.
const TURNS: usize = if cfg!(feature = "long") { 96 } else { 12 };

/// Puts a structure through a scene, and through a storm of changes.
fn run<const D: usize>(mut scene: Scene<D>, structure: &mut dyn Subject<D>) -> Result<(), String> {
    let mut floor = 0.0;
    structure.refit(&scene.paths(), Window::STEP);
    compare(&scene, structure, floor)?;
    for turn in 0..TURNS {
        match scene.draw(10) {
            0..4 => {
                if let Some(i) = scene.change_path(floor) {
                    structure.update(i, &scene.paths());
                }
            }
            4 | 5 => {
                let i = scene.give_birth(floor);
                structure.insert(i, &scene.paths());
            }
            6 => {
                if let Some(i) = scene.kill() {
                    structure.remove(i);
                }
            }
            7 => {
                let new_slot = scene.some_order();
                scene.renumber(&new_slot);
                structure.renumber(&new_slot);
            }
            8 => {
                floor = f64::max(floor, 0.1 * scene.draw(10) as f64);
                structure.relink(&scene.paths(), floor);
            }
            _ => {
                floor = 0.0;
                scene.next_step();
                structure.refit(&scene.paths(), Window::STEP);
            }
        }
        structure.examine();
        if turn % 4 == 3 {
            compare(&scene, structure, floor).map_err(|e| format!("in turn {turn}: {e}"))?;
        }
    }
    Ok(())
}

fn conform<const D: usize>() {
    for settings in every_setting::<D>() {
        for scene in scenes::<D>() {
            let name = scene.name.clone();
            let mut structure = build(&settings);
            if let Err(fault) = run(scene, &mut *structure) {
                panic!("{D} dimensions, {name}: {fault}\n{settings:?}\n{}", structure.describe());
            }
        }
    }
}

#[test]
fn all_structures_conform_in_one_dimension() {
    conform::<1>();
}

#[test]
fn all_structures_conform_in_two_dimensions() {
    conform::<2>();
}

#[test]
fn all_structures_conform_in_three_dimensions() {
    conform::<3>();
}

/// The scenes have so few particles that it would sort none.
#[test]
fn swept_boxes_conform_sorted_too() {
    fn conform_sorted<const D: usize>() {
        for scene in scenes::<D>() {
            let name = scene.name.clone();
            if let Err(fault) = run(scene, &mut LongStep::<D>::that_always_sorts()) {
                panic!("{D} dimensions, {name}: {fault}");
            }
        }
    }
    conform_sorted::<1>();
    conform_sorted::<2>();
    conform_sorted::<3>();
}

#[test]
fn the_runner_bites() {
    fn faults<const D: usize>(structure: &mut dyn Subject<D>) -> usize {
        let faults = scenes::<D>().into_iter().map(|scene| run(scene, structure));
        faults.filter(Result::is_err).count()
    }
    fn bites<const D: usize>(settings: &Settings) {
        let mut cells = super::cubic::<D>(settings);
        cells.how.credulous = true;
        assert!(faults(&mut cells) > 0, "cubes in {D} dimensions");
        let mut levels = Levels::<D>::new(settings);
        levels.how.credulous = true;
        assert!(faults(&mut levels) > 0, "levels in {D} dimensions");
    }
    for listing in Listing::ALL {
        let narrow = Settings {
            listing,
            // The plain scenes have radii of 0.5 to 0.7 and steps of 0.3: this is 0.3 of what is
            // right.
            cell_size: Some(0.3 * least_cell_size(0.7, 0.3)),
            ..Settings::default()
        };
        bites::<2>(&narrow);
        bites::<3>(&narrow);
    }
}

#[test]
fn the_listed_pairs_do_not_depend_on_the_number_of_threads() {
    for settings in every_setting::<3>().into_iter().filter(|s| s.kind != Kind::Auto) {
        let scene = scenes::<3>().into_iter().find(|s| s.name == "dense");
        let scene = scene.unwrap_or_else(|| panic!("the scene is there"));
        let listed = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.unwrap_or_else(|e| panic!("{e}"));
            let mut pairs = Vec::new();
            pool.install(|| {
                let mut structure = build::<3>(&settings);
                structure.refit(&scene.paths(), Window::STEP);
                structure.pairs(&scene.paths(), &mut pairs);
            });
            pairs.sort_unstable();
            pairs
        });
        assert!(!listed[0].is_empty());
        assert!(listed[0] == listed[1] && listed[0] == listed[2], "{settings:?}");
    }
}
