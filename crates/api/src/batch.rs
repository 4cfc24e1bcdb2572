//! Requests that ask for several things, each with a result of its own.

use larder_app::AppError;
use larder_http::{
    Fields, ProblemDocument,
    read::{self, Refusal},
};
use serde_json::value::RawValue;

use crate::problems::ApiError;

/// How many things a request may ask for.
pub(crate) const MAX_ENTRIES: usize = 100;

/// The entries of a request in their order, each under the id that its client gave it.
pub(crate) struct Batch<T> {
    pub(crate) ids: EntryIds,
    /// Those that can be tried.
    pub(crate) valid: Vec<T>,
}

/// The ids of all entries, with the problems of those that cannot be tried.
pub(crate) struct EntryIds(Vec<(String, Option<ApiError>)>);

/// One entry: its id, and what it asks for.
pub(crate) type Entry<T> = (String, Result<T, ApiError>);

/// An entry whose id is called so. Without one there is nothing to name the result by, and the request is refused;
/// any other mistake is the result of its entry.
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
    /// Every entry with its result, given what came of the valid ones.
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
