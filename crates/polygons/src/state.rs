//! The state between two steps: all that the rest of a run follows from, besides what the engine is
//! made of.
//!
//! Padded boxes belong to it. Which are next to which decides where the list of pairs is cut into
//! pieces, and so in which order powers are summed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::balance::Accounts;
use super::contacts::{Contact, Contacts, Load};
use super::gear::Gear;
use super::rows::Row;
use super::skin::{KeptSkin, Skin};
use super::walls::KeptWall;
use super::{Polygons, Setup, SetupError, Tally, may_touch};
use jostle_core::space::holds;

/// All that changes from step to step and is not made anew.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State<'a> {
    step: u64,
    /// \[body\]
    motion: Cow<'a, [Gear<3>]>,
    walls: Vec<KeptWall>,
    /// Bodies, then walls, where the last prediction led.
    rows: Cow<'a, [Row]>,
    skin: KeptSkin<'a>,
    contacts: Cow<'a, [Contact]>,
    /// Of the contacts that touch, in their order.
    loads: Vec<Load>,
    accounts: Accounts,
    tally: Tally,
}

impl Polygons {
    /// The state, between steps.
    pub fn state(&self) -> State<'_> {
        State {
            step: self.clock.step,
            motion: Cow::Borrowed(&self.motion),
            walls: self.walls.iter().map(|wall| wall.kept()).collect(),
            rows: Cow::Borrowed(&self.rows),
            skin: self.skin.kept(),
            contacts: Cow::Borrowed(&self.contacts.list),
            loads: self.contacts.touching().map(|(_, load)| *load).collect(),
            accounts: self.accounts,
            tally: self.tally,
        }
    }

    /// An engine that resumes from `state` as the one that it was taken from would have, on any
    /// number of threads. Of the solids of `setup` everything counts but places and velocities.
    ///
    /// # Errors
    /// If the setup cannot be, or the state is not one of an engine that is set up so.
    pub fn resume(setup: Setup, state: State<'_>) -> Result<Self, SetupError> {
        let mut engine = Self::assembled(setup)?;
        state.check(&engine).map_err(SetupError::State)?;
        let State { step, motion, walls, rows, skin, contacts, loads, accounts, tally } = state;
        engine.clock.step = step;
        engine.motion = motion.into_owned();
        engine.rows = rows.into_owned();
        let fits = engine.walls.iter_mut().zip(walls).all(|(wall, kept)| wall.resume(kept));
        holds(fits, "a wall is driven otherwise").map_err(SetupError::State)?;
        let skin = Skin::resume(&engine.domain, &engine.rows, &engine.makes, skin);
        engine.skin = skin.ok_or(SetupError::State("its boxes are not those of its bodies"))?;
        engine.skin.gained.retain(|pair| may_touch(*pair, engine.motion.len(), &engine.walls));
        let agree = engine.skin.gained.iter().eq(contacts.iter().map(|contact| &contact.pair));
        holds(agree, "its pairs are not those of its boxes").map_err(SetupError::State)?;
        let contacts = Contacts::resume(contacts.into_owned(), loads, engine.rows.len());
        engine.contacts =
            contacts.ok_or(SetupError::State("it has not as many forces as contacts"))?;
        engine.accounts = accounts;
        engine.tally = tally;
        Ok(engine)
    }
}

impl State<'_> {
    /// Whether it has all bodies and walls of an engine, and all that is measured is a number.
    fn check(&self, engine: &Polygons) -> Result<(), &'static str> {
        let lengths = [self.motion.len(), self.walls.len(), self.rows.len()];
        let expected = [engine.motion.len(), engine.walls.len(), engine.rows.len()];
        holds(lengths == expected, "it has not as many bodies and walls as the model")?;
        holds(self.motion.iter().all(Gear::is_finite), "a place or a derivative is not finite")?;
        let is_somewhere = |row: &Row| row.pose.position.is_finite() && row.angle.is_finite();
        let travelled = |row: &Row| row.travelled >= 0.0 && row.travelled.is_finite();
        let rows = self.rows.iter().all(|row| is_somewhere(row) && travelled(row));
        holds(rows, "a place or a way is not finite")?;
        holds(self.contacts.iter().all(Contact::is_finite), "a contact is not finite")?;
        holds(self.loads.iter().all(Load::is_finite), "a force is not finite")?;
        holds(self.accounts.are_finite(), "its energy balance is not finite")
    }
}

#[cfg(test)]
mod tests;
