//! Two files of the same run, as h5py sees them.

use std::path::Path;
use std::process::Command;

/// Holds pairs of files to have the same datasets, bit by bit.
pub(crate) fn hold_same<'a>(pairs: impl IntoIterator<Item = [&'a Path; 2]>) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = repository.join(".tools/python");
    assert!(packages.join("h5py").exists(), "h5py is missing: run `make tools`");
    let mut command = Command::new("python3");
    command.arg(repository.join("tests/python/same_datasets.py")).env("PYTHONPATH", packages);
    for pair in pairs {
        command.args(pair);
    }
    let output = command.output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}\n{err}");
    print!("{out}");
}
