import type { ErrorEntry } from './entry.ts'

/** Errors of calls to external systems. */
export const calls = {
  network: {
    status: 502,
    title: 'The external system could not be reached',
    cause: 'The DNS lookup, the connection or the TLS handshake failed. The detail says which.',
    remedy: 'Check the address, DNS, certificate, firewall and proxy on TCP 443.',
  },
  agent_offline: {
    status: 502,
    title: 'The remote agent of the connection is not connected',
    cause: 'The connection names a remote agent, and no agent with this name and the same owner is connected. Nothing was sent.',
    remedy: 'Start the agent, or look at its log: `tocsin agent list` says when it was last here. Tocsin never goes around an agent.',
  },
  agent_refused: {
    status: 502,
    title: 'The remote agent may not connect to the external system',
    cause: 'No agent of the name has the address of the external system in its allow-list. Nothing was sent.',
    remedy: 'Add the address to the allow-list where the agent runs (--allow), or correct the address of the connection.',
  },
  agent_busy: {
    status: 503,
    title: 'The remote agent carries too many connections',
    cause: 'An agent carries at most 512 connections at once, with those that are not closed yet, and 256 in a tunnel. Nothing was sent.',
    remedy: 'Run another agent with the same name. Calls are spread over them.',
  },
  call_timeout: {
    status: 504,
    title: 'The external system did not answer in time',
    cause: 'The call reached its timeout.',
    remedy:
      "Try again later, or raise the step's timeout. If every call fails like this, check the firewall, proxy and routing to the address on TCP 443.",
  },
  egress_refused: {
    status: 403,
    title: 'The address may not be called',
    cause: "The address is not one of the connection's origins, is not HTTPS, or is private, loopback or link-local and not allowed.",
    remedy: 'Correct the address of the connection, or allow it in TOCSIN_EGRESS_ALLOW.',
  },
  answer_too_large: {
    status: 502,
    title: 'The answer is too large',
    cause: "The answer of the external system is larger than the integration's max_response.",
    remedy: 'Request less data.',
  },
  answer_signature_invalid: {
    status: 502,
    title: 'The signature of the answer is wrong',
    cause:
      "The signature of the answer does not match the connection's signing key. The key is wrong, the credentials come from different files, or something changed the answer on its way.",
    remedy: 'Save the credentials again, all from one file. If that does not help, look for a proxy that changes answers.',
  },
  answer_not_signed: {
    status: 502,
    title: 'The answer that confirms the write is not signed',
    cause:
      'The external system signs its answers, but the answer that confirms this write has no signature. Something else may have answered, so nobody knows whether the write happened.',
    remedy:
      'Check in the external system whether the write happened. If more answers come without a signature, look for a proxy or gateway in between.',
  },
  answer_not_understood: {
    status: 502,
    title: 'The answer was not understood',
    cause:
      'The external system did not answer what the skill expects: it sent another status, something other than JSON, or bytes that are invalid in the declared charset.',
    remedy: "Check the connection's address. A proxy or a login page may have answered instead of the API.",
  },
  answer_not_asked_for: {
    status: 502,
    title: 'The answer is about something else',
    cause: 'The answer has a record that does not match the filter. The external system may have ignored the filter and returned everything.',
    remedy: "Do not use the answer. Compare the request with the vendor's API; it may have changed its filters.",
  },
  items_failed: {
    status: 502,
    title: 'Some items of the call failed',
    cause:
      'The call covered several items, and the external system reports that some or all of them failed. The detail names them, and the output has the result of each.',
    remedy: 'Look at the result of each item. Correct the items that failed, and run the skill again for those.',
  },
  credentials_rejected: {
    status: 502,
    title: 'The external system rejected the credentials',
    cause: 'It answered 401: the credentials are missing, wrong, expired or revoked.',
    remedy: 'Save new credentials on the connection.',
  },
  token_refused: {
    status: 502,
    title: 'The external system gave no access token',
    cause:
      'Its token endpoint refused the request. The client id or the secret is wrong, or the client may not sign in this way. The detail has its answer.',
    remedy: "Compare the connection's client id, client secret and address with those in the external system.",
  },
  derived_origin_refused: {
    status: 502,
    title: 'The external system named an address that is not allowed',
    cause: "The token answer names an address for requests. It is not one of the connection's origins, and the integration does not allow it.",
    remedy: "If the address belongs to the system, save it as the connection's address. If not, check that the connection leads to the right system.",
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
    title: 'The rate limit is reached',
    cause: "The external system answered 429, or the connection's own rate limit let no request through in time.",
    remedy: 'Wait as long as the answer says. If it happens often, run fewer runs at the same time.',
  },
  vendor_unavailable: {
    status: 502,
    title: 'The external system failed',
    cause: 'The external system, or a gateway in front of it, answered with a server error.',
    remedy: 'Try again later.',
  },
  paging_endless: {
    status: 502,
    title: 'A listing of the external system does not end',
    cause:
      'The external system repeated a cursor, sent page after page without an item, sent too many pages, or announced another page without a cursor.',
    remedy: "Compare the skill's `paginate` with the vendor's API, or narrow the listing.",
  },
  handler_failed: {
    status: 500,
    title: "A skill's code failed",
    cause: 'The handler threw an error, asked the host for something that does not exist, or could not start. The detail says which.',
    remedy: 'Report it to the author of the plugin, with the detail.',
  },
  handler_timeout: {
    status: 504,
    title: "A skill's code took too long",
    cause: 'The handler did not finish within its own timeout or the timeout of the step.',
    remedy: "Request less data, or raise the step's timeout.",
  },
  handler_memory: {
    status: 500,
    title: "A skill's code used too much memory",
    cause: 'The handler used all the memory of its isolate, so Tocsin ended it.',
    remedy: 'Request less data; the limit is `handler.memory` of the skill.',
  },
  handler_died: {
    status: 500,
    title: "A skill's code crashed the process that ran it",
    cause: 'The process of the isolates ended. Only the calls in it were lost, and a new process replaces it.',
    remedy: 'Retry the investigation. If it happens again, report it to the author of the plugin.',
  },
  isolates_busy: {
    status: 503,
    title: 'No slot was free for the code of a skill',
    cause: 'Handlers and scripts share a few slots of the process, and others held all of them for half a minute. Nothing was sent.',
    remedy:
      'A run tries again by itself. Repeat a manual call later. If it happens often, run more workers, or shorten the timeouts of the scripts and handlers that hold the slots.',
  },
  handler_requests_exceeded: {
    status: 422,
    title: 'A call made too many requests',
    cause: 'The handler reached `handler.max_requests` of its skill.',
    remedy: 'Request less data.',
  },
  paused: {
    status: 409,
    title: 'A write was not sent, because it is paused',
    cause:
      'Somebody paused everything, the organization, the playbook or the connection. The detail says what is paused, since when, by whom and why.',
    remedy: '`tocsin pause list` shows what is paused, and `tocsin resume` ends a pause. A run then continues by itself. Repeat a manual call.',
  },
  send_too_late: {
    status: 504,
    title: 'A write was not sent, because it was too late',
    cause:
      'The deadline of the write (`send_by`) passed before it was sent, because the clock of the machine jumped or the process stalled. Nothing was sent. In a run, this happened four times in a row.',
    remedy: "Check the machine's clock and load. Then retry the investigation.",
  },
} as const satisfies Record<string, ErrorEntry>
