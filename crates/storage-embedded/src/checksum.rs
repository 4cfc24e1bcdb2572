//! CRC32C over the columns of a row. Every text is preceded by its length, so that no two rows run into
//! the same bytes.

/// A checksum in the making.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u32);

impl Checksum {
    /// Starts with the name of the table, so that a row never passes for one of another table.
    pub(crate) fn of(place: &str) -> Self {
        Self(0).text(place)
    }

    #[must_use]
    pub(crate) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    #[must_use]
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        let length = self.raw(&(bytes.len() as u64).to_le_bytes());
        length.raw(bytes)
    }

    #[must_use]
    pub(crate) fn int(self, value: i64) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// An absent value differs from every present one.
    #[must_use]
    pub(crate) fn optional_int(self, value: Option<i64>) -> Self {
        match value {
            Some(value) => self.raw(&[1]).int(value),
            None => self.raw(&[0]),
        }
    }

    /// An absent value differs from every present one.
    #[must_use]
    pub(crate) fn optional_bytes(self, bytes: Option<&[u8]>) -> Self {
        match bytes {
            Some(bytes) => self.raw(&[1]).bytes(bytes),
            None => self.raw(&[0]),
        }
    }

    /// The value for the `crc` column.
    pub(crate) fn value(self) -> i64 {
        self.0.into()
    }

    fn raw(self, bytes: &[u8]) -> Self {
        Self(crc32c::crc32c_append(self.0, bytes))
    }
}
