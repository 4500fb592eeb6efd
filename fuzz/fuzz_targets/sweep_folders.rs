//! What is done with the bytes stands in `tests/harm/`.
#![no_main]

#[path = "../../tests/harm/mod.rs"]
mod harm;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| harm::drive(harm::Kind::SweepFolders, bytes));
