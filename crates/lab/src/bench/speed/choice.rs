//! What `auto` costs against the best structure that could have been named, on populations that
//! suit different ones.

use std::time::Instant;

use super::populations::{Population, slab};
use super::timing::short;
use super::{Progress, SpeedPlan, add_row};
use crate::bench::study::digits;
use crate::bench::{BenchError, ContestEffort, Contestant, Entry, contest, crowd, mixture, rested};
use jostle_analysis::Table;
use jostle_core::observe::NoObserver;
use jostle_core::search::Kind;
use jostle_model::Model;
use jostle_run::{engine, in_pool};

/// Steps by which it is seen who has no chance.
const TRIAL: usize = 6;

/// A structure so many times slower than the fastest in the trial is not timed; one so many times
/// slower in its first two steps is not even tried on.
const NO_CHANCE: f64 = 2.5;
const HOPELESS: f64 = 10.0;

/// The populations, by name.
const SCENES: [&str; 7] = [
    "dilute (1 %)",
    "10 %",
    "30 %",
    "two sizes 1 : 20, disks",
    "two sizes 1 : 20, spheres",
    "membrane (disks, 20 %)",
    "slab 100 times longer than wide",
];

/// Milliseconds per step of every structure and of `auto`, on each population.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let mut table = Table::new(&["population", "bodies"]);
    let all = contestants();
    table.columns.extend(all.iter().map(|one| format!("{} [ms/step]", one.name)));
    table.columns.extend(["fastest", "auto is", "auto / fastest"].map(str::to_owned));
    for scene in SCENES {
        progress(&format!("search: {scene}"));
        let entries = in_pool(plan.threads, || of_scene(plan, scene))??;
        add_row(&mut table, progress, row(scene, &all, &entries));
    }
    Ok(table)
}

/// All structures that one can name, with pruning and without, and `auto`.
fn contestants() -> Vec<Contestant> {
    let kinds = || Kind::ALL.into_iter().map(Contestant::plain);
    let pruned = |one: Contestant| {
        let name = format!("{}, pruned", one.name);
        one.pruning().named(&name)
    };
    let (auto, fixed): (Vec<_>, Vec<_>) = kinds().partition(is_auto);
    fixed.into_iter().flat_map(|one| [one.clone(), pruned(one)]).chain(auto).collect()
}

fn is_auto(one: &Contestant) -> bool {
    one.search.kind == Kind::Auto
}

fn of_scene(plan: &SpeedPlan, scene: &str) -> Result<Vec<Entry>, BenchError> {
    let few = plan.particles(20_000);
    let sphere = |packing| Population::crowd(3, few, packing).model();
    match scene {
        "dilute (1 %)" => timed::<3>(plan, &sphere(0.01)?),
        "10 %" => timed::<3>(plan, &sphere(0.1)?),
        "30 %" => timed::<3>(plan, &sphere(0.3)?),
        "two sizes 1 : 20, disks" => {
            timed::<2>(plan, &rested::<2>(mixture(2, few, [2, 20], 0.2)?)?)
        }
        "two sizes 1 : 20, spheres" => {
            timed::<3>(plan, &rested::<3>(mixture(3, 2 * few, [2, 20], 0.2)?)?)
        }
        "membrane (disks, 20 %)" => timed::<2>(plan, &rested::<2>(crowd(2, few, 0.2)?)?),
        _ => timed::<3>(plan, &slab(few)?),
    }
}

/// Times those who have a chance. All end in the same state.
fn timed<const D: usize>(plan: &SpeedPlan, model: &Model) -> Result<Vec<Entry>, BenchError> {
    let (which, pace) = with_a_chance::<D>(model)?;
    // A tenth of a second each, in turns, and long enough for lists to be renewed some times.
    let steps = if plan.quick { 3 } else { ((0.1 / pace) as u64).clamp(20, 200) };
    contest::<D>(model, &which, ContestEffort { rounds: 2 * plan.rounds, steps })
}

/// `auto` and who is not much slower than the fastest, and the time that a step of the fastest
/// took. \[s\]
fn with_a_chance<const D: usize>(model: &Model) -> Result<(Vec<Contestant>, f64), BenchError> {
    let (mut tried, mut fastest) = (Vec::new(), f64::INFINITY);
    for one in contestants() {
        let time = if is_auto(&one) { Some(0.0) } else { trial::<D>(model, &one, fastest)? };
        if let Some(time) = time {
            fastest = if is_auto(&one) { fastest } else { fastest.min(time) };
            tried.push((one, time));
        }
    }
    tried.retain(|(_, time)| *time <= NO_CHANCE * fastest);
    Ok((tried.into_iter().map(|(one, _)| one).collect(), fastest))
}

/// The least time of a step \[s\]; none if it is hopeless, or is said to prune and does not.
fn trial<const D: usize>(
    model: &Model,
    one: &Contestant,
    fastest: f64,
) -> Result<Option<f64>, BenchError> {
    let mut engine = engine::<D>(&model.clone().searched(one.search.clone()))?;
    let mut least = f64::INFINITY;
    for step in 0..TRIAL {
        let begun = Instant::now();
        engine.step(&mut NoObserver)?;
        least = least.min(begun.elapsed().as_secs_f64());
        if step > 0 && least > HOPELESS * fastest {
            return Ok(None);
        }
    }
    let prunes = engine.search().counters().pruned_by_direction > 0;
    Ok((prunes || !one.search.pruning).then_some(least))
}

fn row(scene: &str, all: &[Contestant], entries: &[Entry]) -> Vec<String> {
    let of = |one: &Contestant| entries.iter().find(|entry| entry.contestant == *one);
    let (auto, fixed): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| is_auto(&entry.contestant));
    let fastest = fixed.into_iter().min_by(|a, b| a.least.total_cmp(&b.least));
    let mut row =
        vec![scene.to_owned(), entries.first().map_or(0, |entry| entry.particles).to_string()];
    row.extend(all.iter().map(|one| of(one).map_or("-".into(), |entry| digits(1e3 * entry.least))));
    row.push(fastest.map_or("-".into(), |entry| entry.contestant.name.clone()));
    row.push(auto.first().map_or("-".into(), |entry| short(&entry.structure)));
    let ratio = auto.first().zip(fastest).map(|(auto, fixed)| auto.least / fixed.least);
    row.push(ratio.map_or("-".into(), digits));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_particle_may_be_chosen_and_the_fastest_is_named() {
        let all = contestants();
        assert_eq!(all.iter().filter(|one| is_auto(one)).count(), 1);
        assert_eq!(all.len(), 2 * (Kind::ALL.len() - 1) + 1);
        let model = crowd(3, 200, 0.1).unwrap();
        let entries = timed::<3>(&SpeedPlan::quick(), &model).unwrap();
        let row = row("here", &all, &entries);
        assert_eq!(row.len(), 2 + all.len() + 3);
        assert!(row[2 + all.len()..].iter().all(|cell| cell != "-"), "{row:?}");
    }

    #[test]
    fn one_that_does_not_prune_is_not_timed_twice() {
        let model = crowd(2, 100, 0.1).unwrap();
        let naive = Contestant::plain(Kind::Naive);
        assert!(trial::<2>(&model, &naive, f64::INFINITY).unwrap().is_some());
        assert!(trial::<2>(&model, &naive.pruning(), f64::INFINITY).unwrap().is_none());
        assert!(trial::<2>(&model, &Contestant::plain(Kind::Cubic), 1e-12).unwrap().is_none());
    }
}
