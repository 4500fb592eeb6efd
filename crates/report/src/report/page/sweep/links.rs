//! Where files are, seen from a page.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// The folder of a sweep, and the page that links into it.
pub(super) struct Links<'a> {
    pub(super) folder: &'a Path,
    pub(super) page: &'a Path,
}

impl Links<'_> {
    /// What the folder is called.
    pub(super) fn folder_name(&self) -> String {
        let whole = self.folder.canonicalize().unwrap_or_else(|_| self.folder.to_owned());
        whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
    }

    /// The address of a file, relative to the page if both are on the same disk.
    pub(super) fn to(&self, file: &Path) -> String {
        let beside = match self.page.parent() {
            Some(above) if !above.as_os_str().is_empty() => above,
            _ => Path::new("."),
        };
        match (beside.canonicalize(), file.canonicalize()) {
            (Ok(beside), Ok(file)) => address(&relative(&beside, &file)),
            _ => address(file),
        }
    }
}

/// The way from a folder to a file; both are whole paths.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

/// A path as an address: what means something else there is written in hexadecimal digits.
fn address(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_from_the_page() {
        let way = |folder: &str, file: &str| {
            relative(Path::new(folder), Path::new(file)).to_string_lossy().into_owned()
        };
        assert_eq!(way("/a/b", "/a/b/sweep/kept/x"), "sweep/kept/x");
        assert_eq!(way("/a/pages/new", "/a/sweep/kept/x"), "../../sweep/kept/x");
    }

    #[test]
    fn addresses_have_no_letter_that_means_something_else() {
        assert_eq!(address(Path::new("a b/50%#1?.h5md")), "a%20b/50%25%231%3F.h5md");
        assert_eq!(address(Path::new("µ/x_1.h5md")), "%C2%B5/x_1.h5md");
        assert_eq!(address(Path::new("\"><b>")), "%22%3E%3Cb%3E");
    }
}
