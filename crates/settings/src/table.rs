//! Settings that are written once: a table makes the fields, their reading and the list of records.

use crate::error::SettingsError;
use crate::options::Options;
use crate::parameter::Parameter;

/// Makes a struct whose fields are options of a part, its function `read`, and the list of the records. Each field has
/// its type, how it is read, and its record. The records of other options of the part are named in brackets.
#[macro_export]
macro_rules! settings {
    (
        $name:ident from $options:ident, beside [$($other:ident),*] in $list:ident;
        $($field:ident: $type:ty = $read:expr, $record:expr;)*
    ) => {
        /// Settings that are no strategies.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        impl $name {
            fn read(options: &mut $options<'_>) -> Result<$name, $crate::SettingsError> {
                Ok($name { $($field: {
                    const RECORD: $crate::Parameter = $record;
                    $crate::read_with(options, &RECORD, $read)?
                },)* })
            }
        }

        /// All options.
        pub static $list: &[$crate::Parameter] = &[$($other,)* $($record,)*];
    };
}

/// Reads one option; it tells the compiler the types of closures in the table.
#[doc(hidden)]
pub fn read_with<'a, C, T>(
    options: &mut Options<'a, C>,
    parameter: &Parameter,
    read: impl FnOnce(&mut Options<'a, C>, &Parameter) -> Result<T, SettingsError>,
) -> Result<T, SettingsError> {
    read(options, parameter)
}
