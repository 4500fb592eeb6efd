//! Amounts of molecules and rate constants in units of concentration.

use super::*;

const MODEL: &str = "begin molecule types\nA(b)\nB(a)\nend molecule types\nbegin seed species\nA(b) 0.5\nB(a) 2e-3\n\
                     end seed species\nbegin reaction rules\nA(b) + B(a) <-> A(b!1).B(a!1) 1e-2,0.1\n0 -> A(b) 3\n\
                     end reaction rules\n";

fn with(keys: &str) -> Result<Imported, ImportFaults> {
    imported(MODEL, &GEOMETRY.replace("until", &format!("{keys}\nuntil")))
}

#[test]
fn concentrations_become_numbers_in_the_box() {
    let Imported { text, notes } = with("units = 'uM'").unwrap();
    // 0.5 µM x 1 µm³ x 602.214 /µM/µm³
    for said in [
        "count = 301\n",
        "count = 1\n",
        "k_on = \"10000 /M/s\"\nk_off = \"0.1 /s\"",
        "reaction = \"0 -> A(b)\"\nrate = \"3 uM/s\"",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let rounded =
        "m.bngl:7:1: 0.002 uM are 1.20442815 molecules in this box, rounded to 1".to_owned();
    assert_eq!(notes, [rounded]);

    let text = with("units = 'nM'\nrates = '/M/s'").unwrap().text;
    for said in ["count = 0\n", "k_on = \"0.01 /M/s\"", "rate = \"3 nM/s\""] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let text = with("units = 'mM'\nrates = 'per molecule'").unwrap().text;
    for said in ["count = 301107\n", "k_on = \"6022140.76 /M/s\"", "rate = \"3 mM/s\""] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn what_the_units_are_is_asked_where_numbers_look_like_concentrations() {
    let notes = with("").unwrap().notes;
    assert!(notes[1].contains("0.002 molecules are rounded to 0: if amounts are concentrations"));
    assert!(notes[1].ends_with("`units = \"uM\"`"), "{notes:?}");
    let error = with("rates = '/uM/s'").unwrap_err().to_string();
    assert!(error.contains("m.bngl:11:1: with `rates` per concentration"), "{error}");
    let error = with("units = 'mol'").unwrap_err().to_string();
    assert!(error.contains("g.toml:3: units: found \"mol\""), "{error}");
    let plane = GEOMETRY.replace(", '1 um']", "]").replace("until", "units = 'uM'\nuntil");
    let error = imported(MODEL, &plane).unwrap_err().to_string();
    assert!(error.contains("g.toml:3: units: a concentration belongs to a volume"), "{error}");
}
