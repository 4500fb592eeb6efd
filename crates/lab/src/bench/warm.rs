//! Steps before anything is timed.

use jostle_brownian::{Brownian, StepError};
use jostle_core::observe::NoObserver;

/// A search structure that tries others first is to have chosen after so many steps.
const MOST: u64 = 400;

/// Steps with what has just been chosen, which is built anew.
const AFTER_CHOICE: u64 = 4;

/// Steps until the search structure has chosen, if it has to, and at least `least` times.
pub(super) fn warm_up<const D: usize>(
    engine: &mut Brownian<D>,
    least: u64,
) -> Result<(), StepError> {
    for _ in 0..least {
        engine.step(&mut NoObserver)?;
    }
    let mut steps = 0;
    while has_to_choose(engine) && steps < MOST {
        let before = engine.search().counters();
        engine.step(&mut NoObserver)?;
        steps += 1;
        // Where no particles interact it is not asked, and will never have to.
        if engine.tally().narrow_tests == 0 && engine.search().counters() == before {
            break;
        }
    }
    for _ in 0..if steps > 0 { AFTER_CHOICE } else { 0 } {
        engine.step(&mut NoObserver)?;
    }
    Ok(())
}

/// Whether the search structure is still trying others; from the first step on it says so.
fn has_to_choose<const D: usize>(engine: &Brownian<D>) -> bool {
    engine.search().describe().starts_with("auto: keeps")
}

#[cfg(test)]
mod tests {
    use super::super::{crowd, free};
    use super::*;
    use jostle_core::search::{Kind, Settings};
    use jostle_model::Model;
    use jostle_run::engine;

    fn of(kind: Kind, model: &Model) -> Brownian<3> {
        let search = Settings { kind, ..Settings::default() };
        engine::<3>(&model.clone().searched(search)).unwrap()
    }

    #[test]
    fn auto_has_chosen_when_it_is_warm() {
        let mut engine = of(Kind::Auto, &crowd(3, 80, 0.1).unwrap());
        engine.step(&mut NoObserver).unwrap();
        assert!(has_to_choose(&engine), "{}", engine.search().describe());
        warm_up(&mut engine, 1).unwrap();
        let said = engine.search().describe();
        assert!(!has_to_choose(&engine) && said.contains("was the fastest"), "{said}");
        assert!(engine.clock().step < MOST);
    }

    #[test]
    fn one_that_has_nothing_to_choose_does_what_was_asked() {
        for mut engine in
            [of(Kind::Cubic, &crowd(3, 80, 0.1).unwrap()), of(Kind::Auto, &free(3, 80).unwrap())]
        {
            warm_up(&mut engine, 3).unwrap();
            assert!(engine.clock().step <= 3 + 1 + AFTER_CHOICE);
        }
    }
}
