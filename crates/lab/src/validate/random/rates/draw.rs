//! Draws systems at random, from all that can be combined.

use super::super::Draws;
use super::system::{Back, Event, Interactions, ReactivePair, Setting, SlowRegion, Typed};

/// The system of this seed. Not every one is a valid model.
pub(super) fn draw(seed: u64) -> ReactivePair {
    let mut choices = Draws::new(seed);
    let mut system = partners(&mut choices);
    surround(&mut system, &mut choices);
    system.states =
        system.openings == [None; 2] && allows_states(system.event) && choices.chance(0.3);
    system.has_mate = allows_mate(&system) && choices.chance(0.7);
    if system.interactions != Interactions::Hard {
        system.bystanders = choices.below(4);
    }
    if system.guests() > 1 {
        system.search =
            choices.pick(&["auto", "cubic", "slices", "levels", "sweep", "swept", "verlet"]);
    }
    rate(&mut system, &mut choices);
    system
}

/// What the two are, where they are, and what becomes of them.
fn partners(choices: &mut Draws) -> ReactivePair {
    let dimension = choices.pick(&[1, 2, 2, 3, 3, 3]);
    let setting = setting(dimension, choices);
    let event = event(setting, choices);
    let mut radii = [choices.between(0.5, 2.0), choices.between(0.5, 2.0)];
    let mut diffusion = [choices.between(1.0, 20.0), choices.between(1.0, 20.0)];
    match setting {
        Setting::Walls | Setting::Ball => diffusion[0] = 0.0,
        Setting::Floor => {
            radii[1] = (20.0 * radii[0]).round() / 1000.0;
            diffusion[0] *= choices.pick(&[0.0, 0.1]);
        }
        _ if choices.chance(0.3) => diffusion[choices.below(2)] = 0.0,
        _ => {}
    }
    let mut system = ReactivePair {
        dimension,
        setting,
        interactions: choices.pick(&[
            Interactions::Hard,
            Interactions::Ignoring,
            Interactions::Reactive,
        ]),
        event,
        radii,
        diffusion,
        typed: Typed::Rate,
        rates: Vec::new(),
        unit: choices.below(4),
        back: Back::Never,
        shells: Vec::new(),
        slow: None,
        half: false,
        openings: [None; 2],
        states: false,
        has_mate: false,
        bystanders: 0,
        search: choices
            .pick(&["auto", "naive", "cubic", "slices", "levels", "sweep", "swept", "verlet"]),
    };
    if system.is_of_one_kind() {
        system.radii[1] = radii[0];
        system.diffusion = [diffusion[0].max(diffusion[1]); 2];
    }
    system
}

fn setting(dimension: usize, choices: &mut Draws) -> Setting {
    use Setting::{Ball, Floor, Periodic, Round, Sheet, Walls};
    match dimension {
        1 => choices.pick(&[Periodic, Walls]),
        2 => choices.pick(&[Periodic, Periodic, Walls, Ball, Sheet, Round]),
        _ => choices.pick(&[
            Periodic, Periodic, Periodic, Walls, Walls, Ball, Ball, Sheet, Sheet, Round, Floor,
        ]),
    }
}

fn event(setting: Setting, choices: &mut Draws) -> Event {
    let any = [
        Event::Catalysis,
        Event::Switch,
        Event::SiteSwitch,
        Event::Conversion,
        Event::Exchange,
        Event::Annihilation,
        Event::Coalescence,
    ];
    let sites = choices.pick(&[1, 1, 1, 2]);
    let bonds = [Event::Bond, Event::Sites(sites), Event::Sites(sites)];
    let alike = [Event::Dimer, Event::Removal];
    let chains = [Event::HeadToTail, Event::Alike(sites)];
    match setting {
        Setting::Periodic | Setting::Sheet => match choices.below(7) {
            0 => choices.pick(&alike),
            1 => choices.pick(&chains),
            2..=4 => choices.pick(&bonds),
            _ => choices.pick(&any),
        },
        Setting::Walls | Setting::Ball if choices.chance(0.5) => choices.pick(&bonds),
        Setting::Round if choices.chance(0.3) => choices.pick(&alike),
        _ => choices.pick(&any),
    }
}

/// Whether the first partner may be one of two spheres of a molecule: one that rests wherever it is
/// placed, and that nothing else of the molecule hides.
fn allows_mate(system: &ReactivePair) -> bool {
    use Event::{Annihilation, Bond, Catalysis, Conversion, Exchange, SiteSwitch, Sites, Switch};
    system.setting == Setting::Periodic
        && system.diffusion[0] == 0.0
        && system.interactions != Interactions::Hard
        && (system.openings, system.states) == ([None; 2], false)
        && matches!(
            system.event,
            Annihilation
                | Bond
                | Catalysis
                | Conversion
                | Exchange
                | SiteSwitch
                | Sites(_)
                | Switch
        )
}

fn allows_states(event: Event) -> bool {
    use Event::{
        Annihilation, Bond, Catalysis, Coalescence, Conversion, Dimer, Exchange, Removal, Switch,
    };
    matches!(
        event,
        Catalysis
            | Switch
            | Conversion
            | Exchange
            | Annihilation
            | Coalescence
            | Bond
            | Dimer
            | Removal
    )
}

/// One thing around the two, at most, that could change their rate.
fn surround(system: &mut ReactivePair, choices: &mut Draws) {
    let flat = matches!(
        system.setting,
        Setting::Periodic | Setting::Walls | Setting::Ball | Setting::Sheet
    );
    let rests = matches!(system.setting, Setting::Walls | Setting::Ball) && system.dimension > 1;
    let is_site = matches!(system.event, Event::Sites(1));
    if is_site && system.meeting() > 1 && choices.chance(0.8) {
        let opening =
            |choices: &mut Draws| choices.pick(&[None, Some(45.0), Some(60.0), Some(90.0)]);
        system.openings = [opening(choices), opening(choices)];
    } else if flat && choices.chance(0.35) {
        let first = [choices.between(1.5, 2.0), choices.between(-1.5, 1.5)];
        system.shells.push(first);
        if choices.chance(0.5) {
            system.shells.push([first[0] + choices.between(0.5, 0.8), choices.between(-1.0, 1.0)]);
        }
    } else if rests && choices.chance(0.5) {
        let slower = choices.between(0.2, 1.0);
        system.slow =
            Some(SlowRegion { to: 2.0, slower, affinity: choices.pick(&[0.5, 1.0, 3.0]) });
    } else if rests && choices.chance(0.3) {
        system.half = true;
    }
}

/// How the rate is typed, and what it is.
fn rate(system: &mut ReactivePair, choices: &mut Draws) {
    let slow = system.share() < 1.0 || system.half || system.setting == Setting::Floor;
    let macroscopic =
        system.meeting() == 3 && !slow && system.shells.is_empty() && system.slow.is_none();
    let by_probability = !slow && system.slow.is_none() && system.setting != Setting::Round;
    system.typed = match choices.below(10) {
        0..6 if macroscopic => Typed::KOn,
        6 if by_probability => Typed::Probability,
        _ => Typed::Rate,
    };
    let rivals =
        matches!(system.event, Event::Catalysis | Event::Conversion) && choices.chance(0.3);
    let parts: &[f64] = if rivals { &[0.6, 0.4] } else { &[1.0] };
    let relative = match system.typed {
        Typed::KOn => choices.between(0.2, 0.6),
        _ if system.setting == Setting::Floor => 0.3,
        _ if slow => 0.1 * system.share().sqrt(),
        _ if system.setting == Setting::Round => 2.0,
        _ => choices.along(0.4, 2.0),
    };
    let total = match system.typed {
        Typed::Probability => choices.between(0.02, 0.4),
        _ => relative * system.speed() / system.ways(),
    };
    system.rates = parts.iter().map(|part| part * total).collect();
    let reversible = matches!(
        system.event,
        Event::Coalescence | Event::Bond | Event::Sites(_) | Event::HeadToTail | Event::Alike(_)
    );
    system.back = match system.typed {
        _ if !reversible => Back::Never,
        Typed::Probability => choices.pick(&[Back::Never, Back::Rate]),
        _ => choices.pick(&[Back::Never, Back::Rate, Back::Constant]),
    };
}
