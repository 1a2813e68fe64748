/** One failure that a person can meet. `status` is the HTTP status where the API answers with it. */
export interface ErrorEntry {
  readonly status: number
  /** The same for every occurrence. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
}

/** Every code there is. docs/reference/errors.md is generated from this and held equal by a test. */
export const registry = {
  // Requests
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    cause: 'The request body is over the limit (1 MiB for an alert unless configured otherwise).',
    remedy: 'Send less, or raise TOCSIN_BODY_LIMIT.',
  },
  body_not_json: {
    status: 400,
    title: 'The body is not JSON',
    cause: 'The body ends early or has a character that JSON does not allow; the detail names the place.',
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
    title: 'The body does not fit',
    cause: 'A field is missing, has the wrong type or a value that is not allowed; `errors` names each field.',
    remedy: 'Correct the named fields.',
  },
  field_unknown: {
    status: 400,
    title: 'A field is unknown',
    cause: 'The body has a field that this operation does not know; a misspelt field would otherwise be ignored in silence.',
    remedy: 'Remove or correct the named fields.',
  },
  field_repeated: {
    status: 400,
    title: 'A field is given twice',
    cause: 'An object in the body has the same field more than once; readers would disagree about which one counts.',
    remedy: 'Send each field once.',
  },
  body_too_deep: {
    status: 400,
    title: 'The body is nested too deeply',
    cause: 'The body has more than 32 objects or lists inside one another.',
    remedy: 'Send structured alert content as text: alert_content is a string.',
  },
  query_invalid: {
    status: 400,
    title: 'The query does not fit',
    cause: 'A query parameter or header has a value that is not allowed; `errors` names each.',
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
    cause: 'The body was sent with a Content-Type other than application/json.',
    remedy: 'Send Content-Type: application/json.',
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
    cause: 'The request did not arrive whole within the time allowed.',
    remedy: 'Send it again, faster.',
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
    remedy: 'Leave the header out.',
  },
  route_unknown: {
    status: 404,
    title: 'There is no such address',
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
    remedy: 'Use a new key for a new alert; repeat the same body for a retry.',
  },
  // Who
  key_missing: {
    status: 401,
    title: 'No API key was sent',
    cause: 'The request has neither the cookie Session nor an Authorization: Bearer header.',
    remedy: 'Send Cookie: Session=<API key>.',
  },
  key_rejected: {
    status: 401,
    title: 'The API key is not valid',
    cause: "The key is mistyped, was revoked, or is another installation's.",
    remedy: 'Use a key that is listed and not revoked, or create one.',
  },
  permission_missing: {
    status: 403,
    title: 'The key may not do this',
    cause: "The key's principal lacks the scope that the operation needs.",
    remedy: 'Use a key with that scope.',
  },
  organization_forbidden: {
    status: 403,
    title: 'The key may not act for all organizations',
    cause: 'The operation concerns every organization, or grants more than the key itself has.',
    remedy: 'Use a key of all organizations.',
  },
  key_unknown: {
    status: 404,
    title: 'There is no such API key',
    cause: "No key of this id is within the caller's organizations.",
    remedy: 'List the keys.',
  },
  // Things
  organization_unknown: {
    status: 422,
    title: 'The organization is unknown',
    cause: "No organization within the key's reach has this code.",
    remedy: 'GET /platformapi/organizations lists the codes.',
  },
  organization_exists: {
    status: 409,
    title: 'The organization code is taken',
    cause: 'An organization has this code already; codes differ by more than case.',
    remedy: 'Choose another code.',
  },
  provider_unknown: {
    status: 422,
    title: 'The provider is unknown',
    cause: 'No provider has this code.',
    remedy: 'GET /platformapi/providers lists the codes; POST adds one.',
  },
  provider_exists: {
    status: 409,
    title: 'The provider code is taken',
    cause: 'A provider has this code already; codes differ by more than case.',
    remedy: 'Choose another code.',
  },
  alert_unknown: {
    status: 404,
    title: 'There is no such alert',
    cause: "No alert within the key's reach has this id.",
    remedy: 'Check the id; it is the alert_id or the alert_uuid.',
  },
  alert_not_retriable: {
    status: 409,
    title: 'The investigation cannot be started again',
    cause: 'The alert has no type, or its investigation has not ended.',
    remedy: 'Wait for status 15 or 20.',
  },
  case_unknown: {
    status: 404,
    title: 'There is no such case',
    cause: "No case within the key's reach has this id.",
    remedy: 'Check the id; it looks like ACME-12.',
  },
  connection_unknown: {
    status: 404,
    title: 'There is no such connection',
    cause: "No connection within the key's reach has this id.",
    remedy: 'List the connections.',
  },
  connection_exists: {
    status: 409,
    title: 'The instance name is taken',
    cause: 'A connection of this organization has this instance name.',
    remedy: 'Choose another name.',
  },
  connection_changed: {
    status: 409,
    title: 'The connection was changed meanwhile',
    cause: 'Somebody else saved the connection first.',
    remedy: 'Read it again and repeat the change.',
  },
  connection_default_exists: {
    status: 409,
    title: 'There is a default already',
    cause: 'Another connection of this organization (or of the shared ones) is the default of the integration.',
    remedy: 'Take the mark from that one first; runs that pinned it then end, and a retry uses the new one.',
  },
  connection_ambiguous: {
    status: 409,
    title: 'Several connections have this instance name',
    cause: 'Instance names are unique in an organization only.',
    remedy: "Name the organization, or give the connection's id.",
  },
  connection_invalid: {
    status: 400,
    title: 'The connection cannot be saved',
    cause: 'A credential field is missing or breaks a rule of its integration; `errors` names each.',
    remedy: 'Correct the named fields.',
  },
  integration_unknown: {
    status: 422,
    title: 'The integration is unknown',
    cause: 'No plugin of this id is loaded.',
    remedy: 'GET /platformapi/integrations lists them.',
  },
  integration_not_found: {
    status: 404,
    title: 'There is no such integration',
    cause: 'No plugin of the id in the path is loaded.',
    remedy: 'GET /platformapi/integrations lists them.',
  },
  playbook_unknown: {
    status: 404,
    title: 'There is no such playbook',
    cause: 'No active playbook has this name or type.',
    remedy: 'GET /platformapi/playbooks lists them.',
  },
  // Files of engineers
  file_unreadable: {
    status: 400,
    title: 'A file cannot be read',
    cause: 'The file is absent, or may not be read.',
    remedy: 'Check the path and its permissions.',
  },
  yaml_invalid: {
    status: 400,
    title: 'The file is not the YAML that Tocsin reads',
    cause: 'A syntax error, a duplicate key, a merge key, or more than one document; the detail names line and column.',
    remedy: 'Correct the named place.',
  },
  manifest_invalid: {
    status: 400,
    title: 'The manifest does not fit',
    cause: 'The manifest breaks its schema or names something that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/manifest.schema.json lets an editor help.',
  },
  skill_invalid: {
    status: 400,
    title: 'The skill does not fit',
    cause: 'The skill file breaks its schema or its templates name something that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/skill.schema.json lets an editor help.',
  },
  expression_invalid: {
    status: 400,
    title: 'A template or condition cannot be read',
    cause: 'A `{{ … }}` has a syntax error or an unknown filter, or a json-logic rule an unknown operator; the detail says which.',
    remedy: 'Correct the named place.',
  },
  playbook_invalid: {
    status: 400,
    title: 'The playbook does not fit',
    cause: 'The playbook breaks its schema, or names a step, skill or slot that is not there; `errors` names each place.',
    remedy: 'Correct the named places; schemas/playbook.schema.json lets an editor help.',
  },
  // Runs
  inputs_missing: {
    status: 422,
    title: 'The alert does not have what the playbook needs',
    cause: 'A required input was found at none of the places the playbook looks.',
    remedy: "Correct the alert's content at its source, or the input's `from`.",
  },
  inputs_invalid: {
    status: 422,
    title: 'An input has the wrong type or format',
    cause: 'The value found in the alert is not what the playbook declares.',
    remedy: "Correct the alert's content at its source, or the input's declaration.",
  },
  template_failed: {
    status: 422,
    title: 'A template could not be rendered',
    cause: 'The template names a value that is not there, or a filter refused it.',
    remedy: 'Correct the template, or give the value a default.',
  },
  condition_failed: {
    status: 422,
    title: 'A condition could not be decided',
    cause: 'The condition names a value that is not there, or compares values of different types.',
    remedy: 'Correct the condition, or give the variable a default.',
  },
  loop_too_long: {
    status: 422,
    title: 'A loop has more items than it may',
    cause: 'The list is longer than max_items; stopping in silence would leave some untouched.',
    remedy: 'Raise max_items, or narrow the list.',
  },
  loop_not_a_list: {
    status: 422,
    title: 'A loop was given something other than a list',
    cause: 'The value of foreach is not a list.',
    remedy: 'Correct the value.',
  },
  steps_exceeded: {
    status: 422,
    title: 'The run has more steps than it may',
    cause: 'The run reached limits.steps.',
    remedy: 'Raise the limit, or look for a loop that grows.',
  },
  run_timeout: {
    status: 422,
    title: 'The run took longer than it may',
    cause: 'The run reached limits.time.',
    remedy: 'Raise the limit, or look for a slow system.',
  },
  output_too_large: {
    status: 422,
    title: 'An output is larger than it may be',
    cause: "A step's output is over limits.output.",
    remedy: 'Ask for less, or raise the limit.',
  },
  skill_unknown: {
    status: 422,
    title: 'The skill is unknown',
    cause: 'No loaded plugin has a skill of this name.',
    remedy: 'GET /platformapi/integrations lists the skills.',
  },
  skill_input_invalid: {
    status: 422,
    title: "The skill's input does not fit",
    cause: "The input breaks the skill's schema; nothing was sent.",
    remedy: "Correct the input; in a playbook it is the step's `with`.",
  },
  skill_output_invalid: {
    status: 422,
    title: "The skill's output does not fit",
    cause: "The external system answered something that the skill's output schema does not allow.",
    remedy: 'Compare the answer with the skill; the vendor may have changed its API.',
  },
  connection_missing: {
    status: 422,
    title: 'No connection is bound',
    cause: 'The organization has no connection for the integration, or several and no default.',
    remedy: 'Create one, or mark one as the default.',
  },
  role_too_low: {
    status: 422,
    title: "The connection's role is not enough for the skill",
    cause:
      "The connection says which role its credentials have, and the skill's minimum role is not included in it; the external system was not called.",
    remedy: "Use credentials of a higher role and say so in the connection's role.",
  },
  write_not_confirmed: {
    status: 400,
    title: 'Nothing was run',
    cause: 'The skill changes the external system, and the question whether to go on was not answered with yes.',
    remedy: 'Answer y, or give --yes.',
  },
  connection_expired: {
    status: 422,
    title: "The connection's credentials count as expired",
    cause: "The connection's expiry date is past; the external system was not called.",
    remedy: 'Save new credentials and a new date.',
  },
  write_in_doubt: {
    status: 422,
    title: 'Nobody knows whether a write happened',
    cause: 'A call that changes the outside world was sent, and its outcome is unknown.',
    remedy: 'Look in the external system, then retry the investigation or finish by hand.',
  },
  journal_mismatch: {
    status: 500,
    title: 'A resumed run took another way',
    cause: 'A step rendered another input than the journal holds for it.',
    remedy: 'Retry the investigation, and report this: it is a defect.',
  },
  run_stopped: {
    status: 422,
    title: 'The playbook stopped the run as failed',
    cause: 'A stop step with outcome failed was reached; its reason is the message.',
    remedy: 'Read the reason in the case.',
  },
  investigation_failed: {
    status: 500,
    title: 'The investigation failed unexpectedly',
    cause: "A fault in the runtime; the log has it under the run's id.",
    remedy: 'Retry the investigation, and report this.',
  },
  // Calls
  network: {
    status: 502,
    title: 'The external system could not be reached',
    cause: 'Name, connection or TLS failed; the detail says which.',
    remedy: 'Check the address, DNS, certificate, firewall and proxy on TCP 443.',
  },
  call_timeout: {
    status: 504,
    title: 'The external system did not answer in time',
    cause: "The call's time-out passed.",
    remedy: "Try again later, or raise the step's timeout.",
  },
  egress_refused: {
    status: 403,
    title: 'The address may not be called',
    cause: "The address is not one of the connection's origins, is not HTTPS, or is private, loopback or link-local and not allowed.",
    remedy: 'Correct the connection, or name the address in TOCSIN_EGRESS_ALLOW.',
  },
  answer_too_large: {
    status: 502,
    title: 'The answer is too large',
    cause: "The external system answered more than the integration's max_response.",
    remedy: 'Ask for less.',
  },
  answer_signature_invalid: {
    status: 502,
    title: 'The answer is not signed with our key',
    cause:
      'The signature of the answer does not fit the signing key: the key is wrong, the credentials come from different files, or something on the way changed the answer.',
    remedy: 'Save the credentials again, all from one file; if that does not help, look for what changes answers on the way.',
  },
  answer_not_understood: {
    status: 502,
    title: 'The answer was not understood',
    cause: 'The external system answered something other than what the skill expects: another status, or no JSON.',
    remedy: "Check the connection's address; a proxy or login page may answer in its place.",
  },
  credentials_rejected: {
    status: 502,
    title: 'The external system rejected the credentials',
    cause: 'It answered 401: the credentials are missing, wrong, expired or revoked.',
    remedy: 'Save new credentials on the connection.',
  },
  access_refused: {
    status: 502,
    title: 'The external system refused access',
    cause: 'It answered 403: the credentials lack a permission, or the address is blocked.',
    remedy: "Compare the skill's minimum role with what the credentials may do.",
  },
  not_found: {
    status: 502,
    title: 'The external system has no such record or address',
    cause: 'It answered 404: the id is wrong, the record is gone or not visible, or the address of the connection is not the API.',
    remedy: "Check the id, and the connection's address.",
  },
  request_rejected: {
    status: 502,
    title: 'The external system rejected the request',
    cause: 'It answered that a value of the request is not allowed, or that the record is in a state that does not allow it.',
    remedy: "Correct the skill's input.",
  },
  rate_limited: {
    status: 502,
    title: 'The external system allows no more requests for now',
    cause: "It answered 429, or no turn came in time within the connection's rate limit.",
    remedy: 'Wait as long as it asks; fewer runs at once help.',
  },
  vendor_unavailable: {
    status: 502,
    title: 'The external system failed',
    cause: 'It, or a gateway before it, answered with a server error.',
    remedy: 'Try again later.',
  },
  paging_endless: {
    status: 502,
    title: 'A listing of the external system does not end',
    cause:
      'It gave the same cursor again, page after page without an item, more pages than any listing should have, or no cursor where it said that more follows.',
    remedy: "Compare the skill's `paginate` with the vendor's API; narrow the listing.",
  },
  send_too_late: {
    status: 504,
    title: 'A write was not sent, because it was too late',
    cause: 'The time until which the write might be sent had passed; it was dropped at the socket.',
    remedy: 'Retry the investigation.',
  },
  // The installation
  config_invalid: {
    status: 500,
    title: 'The configuration is not valid',
    cause: 'An environment variable or flag is missing or has a value that is not allowed; the detail names it.',
    remedy: 'Correct it; `tocsin <command> --help` lists them.',
  },
  vault_key_wrong: {
    status: 500,
    title: "The vault key is not this store's",
    cause: "The store's secrets were encrypted with another key.",
    remedy: 'Set TOCSIN_VAULT_KEY (or <data>/vault.key) to the key the store began with.',
  },
  secret_unreadable: {
    status: 500,
    title: 'A stored secret cannot be decrypted',
    cause: 'The ciphertext was altered, moved, or encrypted with another key.',
    remedy: "Save the connection's secrets again.",
  },
  store_locked: {
    status: 500,
    title: 'The data folder is in use',
    cause: 'Another Tocsin process owns the embedded store.',
    remedy: 'Stop it, use another --data, or talk to it: the command line does so over HTTP.',
  },
  store_newer: {
    status: 500,
    title: 'The store was written by a newer Tocsin',
    cause: 'The schema version in the store is higher than this version knows.',
    remedy: 'Run the newer version.',
  },
  store_unavailable: {
    status: 503,
    title: 'The store does not answer',
    cause: 'The database cannot be reached, or the disk is full.',
    remedy: 'Nothing was acknowledged; send the request again. Operators: see the log.',
  },
  queue_unavailable: {
    status: 503,
    title: 'The queue does not answer',
    cause: 'Redis cannot be reached, does not answer in time, refuses commands, or the queue was closed.',
    remedy: 'Nothing is lost: alerts wait in the store and are enqueued again. Operators: see to Redis; the detail names it.',
  },
  not_ready: {
    status: 503,
    title: 'This process cannot serve now',
    cause: 'The store or the queue does not answer; the detail names it.',
    remedy: 'Send requests elsewhere until /readyz answers 200. Operators: see the log.',
  },
  overloaded: {
    status: 503,
    title: 'Too much at once',
    cause: 'More requests wait for the store than may.',
    remedy: 'Send the request again after Retry-After seconds.',
  },
  server_unreachable: {
    status: 502,
    title: 'Tocsin does not answer',
    cause: 'No Tocsin listens at the given address.',
    remedy: 'Start it with `tocsin up`, or give --url.',
  },
  internal: {
    status: 500,
    title: 'A fault in Tocsin',
    cause: 'A defect; the log has it under the request id.',
    remedy: 'Report it with the request id.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof registry
