//! One frame as bytes: what has changed since the frame before, ready to be deflated.
//!
//! The layout, which `unpack.js` reads:
//!
//! 1. one byte: 1 if the places are differences to the frame before, else 0;
//! 2. how many slots have changed hands or clusters; for each, its distance from the one before it
//!    in this list, its identity less that one's, its cluster less its identity, and the cluster's
//!    size;
//! 3. 0 if the bonds are as before, else 1 more than their number; for each, its first slot less
//!    that of the bond before it, and its second slot less its first;
//! 4. the low bytes of all places, axis by axis, then the high bytes;
//! 5. only if sites point somewhere: how all particles are turned, in four bytes each
//!    ([`super::sites`]), first the low bytes of all, then the others;
//! 6. only if particles have sites: at how many slots these have changed; for each, its distance
//!    from the one before it in this list, and the class of each site of the film, in one byte each;
//! 7. only if particles have outlines: one byte, 1 if angles are differences to the frame before,
//!    else 0; the low bytes of all angles (65536ths of a turn), then the high bytes;
//! 8. for each wall one byte, 1 if it is there, and three numbers of four bytes (IEEE 754, low byte
//!    first): x, y \[nm\] and the angle \[rad\];
//! 9. if forces were logged, how many follow; for each, its slot less that of the one before it,
//!    the slot of the other particle less its own, or 0 for a wall and then two signed bytes, the
//!    arm in 127ths of the particle's radius; and a byte, 32 times the force over the mean of all
//!    in the frame.
//!
//! Numbers in 2, 3, 6 and 9 are LEB128, those that may be negative in zigzag order (0, -1, 1, -2,
//! ...). So are places that are differences; they are taken round the axis, the short way. High
//! bytes lie together since they are mostly alike, which is what deflating thrives on.

/// The particle in a slot. The default is an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occupant {
    /// Identity, or -1 for an empty slot.
    pub(super) id: i64,
    /// The cluster it belongs to.
    pub(super) cluster: i64,
    /// How many particles that cluster holds.
    pub(super) size: u64,
}

impl Default for Occupant {
    fn default() -> Self {
        Self { id: -1, cluster: -1, size: 0 }
    }
}

/// A frame as the player needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Still {
    /// \[slot\]
    pub(super) which: Vec<Occupant>,
    /// Quanta, axis by axis. \[axis\]\[slot\]
    pub(super) places: Vec<u16>,
    /// Pairs of slots, in ascending order.
    pub(super) bonds: Vec<[u32; 2]>,
    /// How particles are turned; none if no site points anywhere. \[slot\]
    pub(super) turns: Vec<u32>,
    /// How many sites the film has.
    pub(super) sites: usize,
    /// The class of each site; 0 in empty slots. \[slot\]\[site\]
    pub(super) states: Vec<u8>,
    /// 65536ths of a turn; none if particles have no outlines. \[slot\]
    pub(super) angles: Vec<u16>,
    /// Walls and forces, as they stand in the page.
    pub(super) rest: Vec<u8>,
}

/// The bytes of a frame. Without a frame before, everything has changed and places are themselves;
/// with one, places are differences if these are more alike. `last` is the greatest quantum.
pub(super) fn pack(now: &Still, before: Option<&Still>, last: u16) -> Vec<u8> {
    let empty = Still::default();
    let former = before.unwrap_or(&empty);
    let (differ, places) = shorter(&now.places, before.map(|before| &before.places[..]), last);
    let mut bytes = vec![u8::from(differ)];
    pack_occupants(&now.which, &former.which, &mut bytes);
    if before.is_some_and(|before| before.bonds == now.bonds) {
        bytes.push(0);
    } else {
        pack_bonds(&now.bonds, &mut bytes);
    }
    bytes.extend(places);
    bytes.extend((0..4).flat_map(|k| now.turns.iter().map(move |turn| turn.to_le_bytes()[k])));
    if now.sites > 0 {
        pack_states(now, former, &mut bytes);
    }
    if !now.angles.is_empty() {
        let (differ, angles) =
            shorter(&now.angles, before.map(|before| &before.angles[..]), u16::MAX);
        bytes.push(u8::from(differ));
        bytes.extend(angles);
        bytes.extend(&now.rest);
    }
    bytes
}

/// Whether differences to the numbers before are shorter than the numbers themselves, and what is
/// shorter.
fn shorter(now: &[u16], before: Option<&[u16]>, last: u16) -> (bool, Vec<u8>) {
    let themselves = planes(now.iter().copied());
    let differences = before.map(|before| {
        let pairs = now.iter().zip(before);
        planes(pairs.map(|(&now, &before)| zigzag_round(now, before, last)))
    });
    let differences = differences.filter(|d| information(d) < information(&themselves));
    (differences.is_some(), differences.unwrap_or(themselves))
}

fn pack_occupants(now: &[Occupant], before: &[Occupant], bytes: &mut Vec<u8>) {
    let none = Occupant::default();
    let changed = || {
        let slots = now.iter().enumerate();
        slots.filter(|(slot, which)| before.get(*slot).unwrap_or(&none) != *which)
    };
    push(changed().count() as u64, bytes);
    let (mut last_slot, mut last_id) = (0, 0);
    for (slot, which) in changed() {
        push((slot - last_slot) as u64, bytes);
        push_signed(which.id.wrapping_sub(last_id), bytes);
        push_signed(which.cluster.wrapping_sub(which.id), bytes);
        push(which.size, bytes);
        (last_slot, last_id) = (slot, which.id);
    }
}

fn pack_bonds(bonds: &[[u32; 2]], bytes: &mut Vec<u8>) {
    push(bonds.len() as u64 + 1, bytes);
    let mut last = 0;
    for &[a, b] in bonds {
        push_signed(i64::from(a) - last, bytes);
        push_signed(i64::from(b) - i64::from(a), bytes);
        last = i64::from(a);
    }
}

fn pack_states(now: &Still, before: &Still, bytes: &mut Vec<u8>) {
    let new = vec![0; now.sites];
    let former =
        |slot: usize| before.states.get(slot * now.sites..(slot + 1) * now.sites).unwrap_or(&new);
    let changed = || {
        let slots = now.states.chunks(now.sites).enumerate();
        slots.filter(|(slot, states)| former(*slot) != *states)
    };
    push(changed().count() as u64, bytes);
    let mut last = 0;
    for (slot, states) in changed() {
        push((slot - last) as u64, bytes);
        bytes.extend(states);
        last = slot;
    }
}

/// Low bytes, then high bytes.
fn planes(numbers: impl Iterator<Item = u16> + Clone) -> Vec<u8> {
    let low = numbers.clone().map(|n| n as u8);
    low.chain(numbers.map(|n| (n >> 8) as u8)).collect()
}

/// The difference the short way round an axis of `last` + 1 quanta, in zigzag order.
fn zigzag_round(now: u16, before: u16, last: u16) -> u16 {
    let round = now.wrapping_sub(before) & last;
    let half = last / 2;
    if round <= half { round << 1 } else { ((last - round) << 1) | 1 }
}

/// How many bits the bytes are worth at least if each plane is coded byte by byte (Shannon's
/// entropy).
fn information(planes: &[u8]) -> f64 {
    let of_plane = |plane: &[u8]| {
        let mut counts = [0u32; 256];
        plane.iter().for_each(|&byte| counts[byte as usize] += 1);
        let total = plane.len() as f64;
        let seen = counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count));
        seen.map(|count| count * (total / count).log2()).sum::<f64>()
    };
    let (low, high) = planes.split_at(planes.len() / 2);
    of_plane(low) + of_plane(high)
}

pub(super) fn push_signed(number: i64, bytes: &mut Vec<u8>) {
    push(((number << 1) ^ (number >> 63)) as u64, bytes);
}

pub(super) fn push(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way back, as `unpack.js` goes it.
    struct Unpacker<'a>(&'a [u8]);

    impl Unpacker<'_> {
        fn byte(&mut self) -> u8 {
            let (first, rest) = self.0.split_first().unwrap();
            self.0 = rest;
            *first
        }

        fn number(&mut self) -> u64 {
            let mut number = 0;
            for shift in (0..).step_by(7) {
                let byte = self.byte();
                number |= u64::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            number
        }

        fn signed(&mut self) -> i64 {
            let n = self.number();
            (n >> 1) as i64 ^ -((n & 1) as i64)
        }

        fn unpack(mut self, still: &mut Still, last: u16) {
            let differences = self.byte() == 1;
            let (mut slot, mut id) = (0, 0);
            for _ in 0..self.number() {
                slot += self.number() as usize;
                id += self.signed();
                let cluster = id + self.signed();
                still.which[slot] = Occupant { id, cluster, size: self.number() };
            }
            if let Some(count) = self.number().checked_sub(1) {
                let mut a = 0;
                let bond = |_| {
                    a += self.signed();
                    [a as u32, (a + self.signed()) as u32]
                };
                still.bonds = (0..count).map(bond).collect();
            }
            let (low, high) = self.0.split_at(still.places.len());
            for (k, place) in still.places.iter_mut().enumerate() {
                let n = u16::from(low[k]) | u16::from(high[k]) << 8;
                let difference = (n >> 1) ^ 0u16.wrapping_sub(n & 1);
                *place = if differences { place.wrapping_add(difference) & last } else { n };
            }
            self.0 = &self.0[2 * still.places.len()..];
            let turns = still.turns.len();
            for (slot, turn) in still.turns.iter_mut().enumerate() {
                *turn = u32::from_le_bytes([0, 1, 2, 3].map(|k| self.0[k * turns + slot]));
            }
            self.0 = &self.0[4 * turns..];
            if still.sites > 0 {
                let mut slot = 0;
                for _ in 0..self.number() {
                    slot += self.number() as usize;
                    for site in 0..still.sites {
                        still.states[slot * still.sites + site] = self.byte();
                    }
                }
            }
            assert!(self.0.is_empty());
        }
    }

    /// Particles that move a little, come, go, join and bind, with so many sites.
    fn frames(count: usize, slots: usize, last: u16, sites: usize) -> Vec<Still> {
        let mut random = 1u64;
        let mut next = move |below: u64| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) % below
        };
        let mut still = Still {
            which: (0..slots)
                .map(|n| Occupant { id: n as i64, cluster: n as i64, size: 1 })
                .collect(),
            places: (0..3 * slots).map(|_| next(u64::from(last) + 1) as u16).collect(),
            bonds: Vec::new(),
            turns: vec![0; if sites > 0 { slots } else { 0 }],
            sites,
            states: vec![0; slots * sites],
            ..Still::default()
        };
        let mut all = vec![still.clone()];
        while all.len() < count {
            for place in &mut still.places {
                *place = place.wrapping_add(next(9) as u16).wrapping_sub(4) & last;
            }
            let slot = next(slots as u64) as usize;
            still.which[slot] = match next(3) {
                0 => Occupant::default(),
                1 => Occupant { id: 1 << 40, cluster: 3, size: 300 },
                _ => Occupant { id: slot as i64, cluster: i64::MAX / 2, size: 2 },
            };
            if next(2) == 0 {
                still.bonds.push([next(slots as u64) as u32, next(slots as u64) as u32]);
                still.bonds.sort_unstable();
            }
            still.turns.iter_mut().for_each(|turn| *turn = next(1 << 31) as u32 * 2 + 1);
            if sites > 0 {
                still.states[next((slots * sites) as u64) as usize] = next(256) as u8;
            }
            all.push(still.clone());
        }
        all
    }

    #[test]
    fn frames_come_back_as_they_were() {
        for (last, sites) in [(0xff, 0), (0x7ff, 0), (0xffff, 0), (0xffff, 3)] {
            let frames = frames(40, 60, last, sites);
            let mut still = Still::default();
            let mut differences = 0;
            for (n, frame) in frames.iter().enumerate() {
                let before = n.checked_sub(1).filter(|_| n % 16 != 0).map(|n| &frames[n]);
                let bytes = pack(frame, before, last);
                if before.is_none() {
                    still = Still {
                        which: vec![Occupant::default(); 60],
                        places: vec![0; 180],
                        bonds: Vec::new(),
                        turns: vec![0; frame.turns.len()],
                        sites,
                        states: vec![0; 60 * sites],
                        ..Still::default()
                    };
                }
                differences += bytes[0];
                Unpacker(&bytes).unpack(&mut still, last);
                assert_eq!(still, *frame, "frame {n} with numbers up to {last}");
            }
            assert!(last == 0xff || differences == 37, "{differences} with numbers up to {last}");
        }
    }

    #[test]
    fn angles_stand_behind_places_and_the_rest_behind_angles() {
        let still = |angle: u16| Still {
            which: vec![Occupant { id: 0, cluster: 0, size: 1 }],
            places: vec![7, 9],
            angles: vec![angle],
            rest: vec![42],
            ..Still::default()
        };
        let tail = |bytes: &[u8]| bytes[bytes.len() - 4..].to_vec();
        assert_eq!(tail(&pack(&still(0x1234), None, 0xff)), [0, 0x34, 0x12, 42]);
        // One angle is no shorter as a difference; of many that change alike, differences are.
        let many = |angle: u16| Still {
            angles: (0..500u16).map(|n| n.wrapping_mul(37).wrapping_add(angle)).collect(),
            ..still(0)
        };
        let bytes = pack(&many(3), Some(&many(0)), 0xff);
        let begin = bytes.len() - 1002;
        assert_eq!((bytes[begin], bytes[begin + 1], bytes[begin + 501]), (1, 6, 0));
    }

    #[test]
    fn only_the_sites_that_change_are_written() {
        let still = |states: [u8; 6]| Still {
            which: vec![Occupant::default(); 3],
            sites: 2,
            states: states.to_vec(),
            ..Still::default()
        };
        let (new, later) = (still([0, 0, 0, 0, 4, 0]), still([0, 0, 7, 0, 4, 0]));
        // No differences, no occupants, no bonds; then the slots.
        assert_eq!(pack(&new, None, 0xff), [0, 0, 1, 1, 2, 4, 0]);
        assert_eq!(pack(&later, Some(&new), 0xff), [0, 0, 0, 1, 1, 7, 0]);
        assert_eq!(pack(&later, Some(&later), 0xff), [0, 0, 0, 0]);
    }

    #[test]
    fn differences_go_the_short_way_round() {
        assert_eq!(zigzag_round(0, 0x7ff, 0x7ff), 2);
        assert_eq!(zigzag_round(0x7ff, 0, 0x7ff), 1);
        assert_eq!(zigzag_round(0x8000, 0, 0xffff), 0xffff);
    }

    #[test]
    fn places_that_jump_about_are_not_written_as_differences() {
        // As far apart as can be, from few places: the places are more alike than their
        // differences.
        let still = |n: u16| Still {
            which: Vec::new(),
            places: (0..4096u16)
                .map(|k| if (k.wrapping_mul(n) >> 3) % 2 == 0 { 0 } else { 777 })
                .collect(),
            bonds: Vec::new(),
            ..Still::default()
        };
        assert_eq!(pack(&still(5), Some(&still(3)), 0x7ff)[0], 0);
    }
}
