//! Enumerations whose variants have names.

/// An enumeration each variant of which has a name, `Variant => "name"`, with `ALL`, `name` and
/// `parse`.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $vis:vis enum $Enum:ident {
            $($(#[$doc:meta])* $Variant:ident $(= $code:literal)? => $name:expr,)*
        }
    ) => {
        $(#[$about])*
        $vis enum $Enum {
            $($(#[$doc])* $Variant $(= $code)?,)*
        }

        impl $Enum {
            /// All of them, in this order.
            $vis const ALL: [Self; [$(Self::$Variant),*].len()] = [$(Self::$Variant),*];

            /// The word for it in files.
            $vis fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }

            /// What `word` names, if anything.
            $vis fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == word)
            }
        }
    };
}
