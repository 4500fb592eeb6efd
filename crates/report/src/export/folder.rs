//! Folders that appear under their name only once they are whole.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ExportError;
use jostle_files::{Inputs, PassingFolder};

/// A folder that has no name yet. Dropped before [`FreshFolder::keep`], it leaves nothing behind.
pub(super) struct FreshFolder {
    out: PathBuf,
    force: bool,
    inner: PassingFolder,
}

impl FreshFolder {
    /// A new, empty folder beside `out`. One that stands at `out` is replaced only if all that is
    /// in it has the given ending.
    pub(super) fn beside(
        out: &Path,
        ending: &str,
        force: bool,
        inputs: &Inputs,
    ) -> Result<Self, ExportError> {
        if out.exists() {
            if !force {
                return Err(ExportError::Exists(out.to_owned()));
            }
            let entries = std::fs::read_dir(out).map_err(|why| ExportError::from(why).at(out))?;
            for entry in entries.flatten() {
                let kept = match entry.path() {
                    path if path.extension().is_none_or(|e| e != ending) => {
                        format!("not a .{ending} file")
                    }
                    path if inputs.contain(&path) => "the file being read".to_owned(),
                    _ => continue,
                };
                let reason = format!(
                    "it is not replaced, since {} is in it, which is {kept}",
                    entry.file_name().display()
                );
                return Err(ExportError::Write { path: out.to_owned(), reason });
            }
        }
        let parent =
            out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let inner = PassingFolder::inside(parent).map_err(|why| ExportError::from(why).at(out))?;
        Ok(Self { out: out.to_owned(), force, inner })
    }

    /// Where it is for the time being.
    pub(super) fn path(&self) -> &Path {
        self.inner.path()
    }

    /// Gives it its name.
    pub(super) fn keep(self) -> Result<(), ExportError> {
        let Self { out, force, inner } = self;
        let failed = |why: io::Error| ExportError::from(why).at(&out);
        if force && out.exists() {
            std::fs::remove_dir_all(&out).map_err(failed)?;
        }
        inner.settle(&out).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_folder_with_anything_else_in_it_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let (out, none) = (dir.path().join("frames"), Inputs::default());
        let folder = FreshFolder::beside(&out, "vtp", false, &none).unwrap();
        std::fs::write(folder.path().join("0.vtp"), b"0").unwrap();
        folder.keep().unwrap();
        assert_eq!(names(&out), ["0.vtp"]);
        FreshFolder::beside(&out, "vtp", true, &none).unwrap().keep().unwrap();
        assert!(names(&out).is_empty());
        std::fs::write(out.join("thesis.tex"), b"").unwrap();
        assert!(FreshFolder::beside(&out, "vtp", true, &none).is_err());
        assert_eq!(names(dir.path()), ["frames"]);
    }
}
