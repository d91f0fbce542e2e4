//! Checks the values that a call puts into the path of its request.

use std::io::{Error, ErrorKind};

/// The value as a path segment. An empty value, `.` and `..` would reach another resource: the
/// deletion of the route `..` would delete its edge. So a value that does not match the pattern of
/// the contract is an error, and nothing is sent.
pub(crate) fn checked(name: &str, value: &str, pattern: &str) -> Result<String, Error> {
    let rule = regex_lite::Regex::new(pattern).map_err(Error::other)?;
    if !rule.is_match(value) {
        let message = format!("path parameter {name} must match {pattern}, not {value:?}: nothing was sent");
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    Ok(crate::apis::urlencode(value))
}
