import type { ErrorEntry } from './entry.ts'

/** Errors in a request. */
export const requests = {
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The request body is over the limit (1 MiB for an alert unless configured otherwise).',
    remedy: 'Send less, or raise TOCSIN_BODY_LIMIT.',
  },
  body_not_json: {
    status: 400,
    title: 'The body is not JSON',
    cause: 'The body ends early or has a character that JSON does not allow. The detail names the place.',
    remedy: 'Send one JSON value, UTF-8 encoded.',
  },
  body_not_utf8: {
    status: 400,
    title: 'The body is not UTF-8',
    cause: 'The body has bytes that are not UTF-8, or a Content-Encoding that is not supported.',
    remedy: 'Encode the body as UTF-8 and send it uncompressed.',
  },
  body_invalid: {
    status: 400,
    title: 'The body is invalid',
    cause: 'A field is missing, has the wrong type, or has a value that is not allowed. `errors` names each field.',
    remedy: 'Correct the named fields.',
  },
  field_unknown: {
    status: 400,
    title: 'A field is unknown',
    cause: 'The body has a field that this operation does not know. It may be misspelt.',
    remedy: 'Remove or correct the named fields.',
  },
  field_repeated: {
    status: 400,
    title: 'A field is given twice',
    cause: 'An object in the body has the same field more than once, so its meaning is not clear.',
    remedy: 'Send each field once.',
  },
  body_too_deep: {
    status: 400,
    title: 'The body is nested too deeply',
    cause: 'The body has more than 32 objects or lists inside one another.',
    remedy: 'Send structured alert content as text: alert_content is a string.',
  },
  body_too_many_values: {
    status: 413,
    title: 'The body has too many values',
    cause: 'The body has more than 200,000 values, or an object with more than 20,000 fields.',
    remedy: 'Send less at once. Structured alert content counts as one value: alert_content is a string.',
  },
  query_invalid: {
    status: 400,
    title: 'The query is invalid',
    cause: 'A query parameter or header has a value that is not allowed. `errors` names each one.',
    remedy: 'Correct the named parameters.',
  },
  cursor_invalid: {
    status: 400,
    title: 'The cursor is not valid',
    cause: 'The cursor was altered, or belongs to another listing.',
    remedy: 'Start again without a cursor.',
  },
  media_type_unsupported: {
    status: 415,
    title: 'The content type is not supported',
    cause: 'The body was sent with a Content-Type other than `application/json`.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cause: 'The request has too many header fields, or too long ones.',
    remedy: 'Send fewer headers.',
  },
  request_malformed: {
    status: 400,
    title: 'The request is not HTTP',
    cause: 'The request could not be read as HTTP/1.1.',
    remedy: 'Use an HTTP client.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long',
    cause: 'The whole request did not arrive in time.',
    remedy: 'Send it again over a faster connection, or send less at once.',
  },
  path_invalid: {
    status: 400,
    title: 'The path cannot be read',
    cause: 'The path has a percent sign that does not begin a percent-encoded UTF-8 character.',
    remedy: 'Percent-encode the path.',
  },
  expectation_unsupported: {
    status: 417,
    title: 'The expectation is not supported',
    cause: 'The request has an Expect header other than 100-continue.',
    remedy: 'Remove the header.',
  },
  route_unknown: {
    status: 404,
    title: 'There is no such operation',
    cause: 'No operation has this method and path.',
    remedy: 'Compare with /platformapi/openapi.json.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    cause: 'The key is empty, longer than 255 characters, or has characters outside printable ASCII.',
    remedy: 'Use a UUID, for example.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'The Idempotency-Key belongs to another request',
    cause: 'An alert was sent with the same key and another body.',
    remedy: 'Use a new key for a new alert. To repeat a request, send the same body.',
  },
} as const satisfies Record<string, ErrorEntry>
