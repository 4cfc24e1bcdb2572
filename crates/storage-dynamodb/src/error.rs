//! Classifies DynamoDB's errors.

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use larder_storage::StorageError;

/// The message for missing tables.
pub(crate) const NO_TABLES: &str = "a table does not exist: run 'larder tables create'";

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Retryable; the outcome of this request is unknown.
    Transient(String),
    /// Not retryable.
    Permanent(StorageError),
}

/// Classifies a failed request.
pub(crate) fn classify<E>(error: &SdkError<E>) -> Failure
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let SdkError::ServiceError(answer) = error else {
        // Time-outs, lost connections, unparsable answers, credentials that are temporarily
        // unavailable.
        return Failure::Transient(DisplayErrorContext(error).to_string());
    };
    let code = answer.err().code().unwrap_or("an error without a name");
    let message = answer.err().message().unwrap_or("no message");
    by_code(code, message, answer.raw().status().as_u16())
}

fn by_code(code: &str, message: &str, status: u16) -> Failure {
    let told = format!("{code}: {message}");
    match code {
        "ProvisionedThroughputExceededException"
        | "ThrottlingException"
        | "RequestLimitExceeded"
        | "TransactionInProgressException"
        | "LimitExceededException"
        | "ReplicatedWriteConflictException" => Failure::Transient(told),
        "ResourceNotFoundException" => {
            Failure::Permanent(StorageError::Unavailable(format!("{NO_TABLES} ({message})")))
        }
        "ValidationException" => Failure::Permanent(invalid(message)),
        "IdempotentParameterMismatchException" => Failure::Permanent(StorageError::Defect(told)),
        _ if status >= 500 => Failure::Transient(told),
        // Wrong credentials, missing permissions: an operator must act, and until then the store is
        // unavailable.
        _ => Failure::Permanent(StorageError::Unavailable(told)),
    }
}

/// A request that passed our own checks, but not DynamoDB's.
pub(crate) fn invalid(message: &str) -> StorageError {
    if message.contains("size has exceeded") || message.contains("exceeds the maximum") {
        return StorageError::TooLarge(message.to_owned());
    }
    if message.contains("empty string") {
        return StorageError::Defect(format!("this endpoint takes no empty texts: {message}"));
    }
    StorageError::Defect(format!("DynamoDB refuses the request: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_passing(code: &str, status: u16) -> bool {
        matches!(by_code(code, "", status), Failure::Transient(_))
    }

    #[test]
    fn throttling_and_faults_of_the_service_pass() {
        for code in ["ThrottlingException", "ProvisionedThroughputExceededException"] {
            assert!(is_passing(code, 400), "{code}");
        }
        assert!(is_passing("InternalServerError", 500));
        assert!(is_passing("anything", 503));
        assert!(!is_passing("AccessDeniedException", 400));
        assert!(!is_passing("UnrecognizedClientException", 400));
    }

    #[test]
    fn missing_tables_say_how_to_make_them() {
        let failure = by_code("ResourceNotFoundException", "Cannot do operations", 400);
        let Failure::Permanent(StorageError::Unavailable(reason)) = failure else {
            panic!("{failure:?}");
        };
        assert!(reason.contains("larder tables create"), "{reason}");
    }

    #[test]
    fn what_is_invalid_is_told_apart() {
        let size = invalid("Item size has exceeded the maximum allowed size");
        assert!(matches!(size, StorageError::TooLarge(_)), "{size}");
        let empty = invalid("An AttributeValue may not contain an empty string");
        assert!(empty.to_string().contains("takes no empty texts"), "{empty}");
        assert!(matches!(invalid("anything else"), StorageError::Defect(_)));
    }
}
