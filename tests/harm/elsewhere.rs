//! Parts of a file that lead to other files, or to themselves.

use hdf5::File;
use hdf5::dataset::DatasetCreateBuilder;

/// Puts something of the kind in the place of a dataset; which, follows from its name.
pub fn lead(file: &File, name: &str) -> hdf5::Result<()> {
    match name.len() % 4 {
        0 => virtual_of_itself(file, name),
        1 => {
            file.unlink(name)?;
            file.link_external("other.h5", name, name)
        }
        2 => replaced(file, name, |plist, shape| {
            plist.external("/etc/hostname", 0, shape.iter().product());
        }),
        _ => {
            file.unlink(name)?;
            file.link_soft(name, name)
        }
    }
}

/// Makes a dataset one whose values are its own.
pub fn virtual_of_itself(file: &File, name: &str) -> hdf5::Result<()> {
    replaced(file, name, |plist, shape| {
        plist.virtual_map(".", name, shape, .., shape, ..);
    })
}

fn replaced(
    file: &File,
    name: &str,
    make: impl Fn(&mut DatasetCreateBuilder, &[usize]),
) -> hdf5::Result<()> {
    let shape = file.dataset(name)?.shape();
    file.unlink(name)?;
    let made = file.new_dataset::<u8>().shape(&*shape).with_dcpl(|plist| {
        make(plist, &shape);
        plist
    });
    made.create(name).map(drop)
}
