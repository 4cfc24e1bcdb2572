//! Requests with several entries, each of which has its own result.

use larder_app::AppError;
use larder_http::{
    Fields, ProblemDocument,
    read::{self, Refusal},
};
use serde_json::value::RawValue;

use crate::ApiError;

/// The maximum number of entries of a request.
pub(crate) const MAX_ENTRIES: usize = 100;

/// The entries of a request in order, each under its client-assigned id.
pub(crate) struct Batch<T> {
    pub(crate) ids: EntryIds,
    /// The valid entries.
    pub(crate) valid: Vec<T>,
}

/// The ids of all entries, with the problems of the invalid ones.
pub(crate) struct EntryIds(Vec<(String, Option<ApiError>)>);

/// One entry: its id and its content.
pub(crate) type Entry<T> = (String, Result<T, ApiError>);

/// Reads an entry whose id is in the field `id`. Without an id the result cannot be assigned, so
/// the request is refused; any other error is the result of its entry.
pub(crate) fn entry<T>(
    id: &'static str,
    read: impl FnOnce(Fields<'_>) -> Result<T, ApiError>,
) -> impl FnOnce(&RawValue) -> Result<Entry<T>, Refusal> {
    move |json| {
        let mut fields = Fields::parse(json.get().as_bytes())
            .map_err(|_| Refusal::Borrowed("must be an object"))?;
        let Some(named) = fields.required(id, read::borrowed_text) else {
            return Err(format!("must have a {id}").into());
        };
        let result = read(fields);
        Ok((named.into_owned(), result))
    }
}

impl<T> FromIterator<Entry<T>> for Batch<T> {
    fn from_iter<I: IntoIterator<Item = Entry<T>>>(entries: I) -> Self {
        let (mut ids, mut valid) = (Vec::new(), Vec::new());
        for (id, entry) in entries {
            let refused = entry.map(|entry| valid.push(entry)).err();
            ids.push((id, refused));
        }
        Self { ids: EntryIds(ids), valid }
    }
}

impl EntryIds {
    /// Every entry with its result, given the results of the valid ones.
    pub(crate) fn results<R>(
        self,
        tried: Vec<Result<R, AppError>>,
    ) -> Vec<(String, Result<R, ProblemDocument>)> {
        let mut tried = tried.into_iter();
        let results = self.0.into_iter().map_while(|(id, refused)| {
            let result = match refused {
                Some(refused) => Err(refused),
                None => tried.next()?.map_err(ApiError::from),
            };
            Some((id, result.map_err(ApiError::into_document)))
        });
        results.collect()
    }
}
