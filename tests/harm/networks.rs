//! Hostile BNGL, with the file that says how large its molecules are.

use jostle::model::{self, bngl};

/// What comes between the two files.
const BETWEEN: &str = "\n===\n";

/// The second file, where the bytes have none.
const GEOMETRY: &str = "box = ['1 um', '1 um', '1 um']\ntime_step = '1 us'\nuntil = '1 ms'\n\
    default = { radius = '2 nm', diffusion = '10 um^2/s' }\n";

/// Makes a model of them. What is made can be read; what is refused is told with the name of the file, in
/// lines without anything that steers a terminal.
pub fn import(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (network, geometry) = text.split_once(BETWEEN).unwrap_or((&text, GEOMETRY));
    match bngl::import([network, "hostile.bngl"], [geometry, "hostile.toml"]) {
        Ok(imported) => {
            let read = model::parse(&imported.text, "imported.toml", &[]);
            read.unwrap_or_else(|faults| panic!("{faults}\n{}", imported.text));
        }
        Err(faults) => {
            let said = faults.to_string();
            assert!(said.contains("hostile."), "{said}");
            assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
            assert!(said.len() < 8_000_000, "{} bytes are said", said.len());
        }
    }
}
