import type { ErrorEntry } from './entry.ts'

/** Calls to external systems. */
export const calls = {
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
    remedy:
      "Try again later, or raise the step's timeout. If no call is ever answered, look at firewall, proxy and routing to the address on TCP 443.",
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
  answer_not_signed: {
    status: 502,
    title: 'The answer that it was done is not signed',
    cause:
      'The external system signs its answers, and this one, which says that a write was done, has no signature. Something else may have answered in its place, so whether it was done is not known.',
    remedy: 'Look in the external system whether it was done. If answers without a signature go on, look for a proxy or gateway on the way.',
  },
  answer_not_understood: {
    status: 502,
    title: 'The answer was not understood',
    cause:
      'The external system did not answer what the skill expects: it sent another status, no JSON, or bytes that do not fit the declared charset.',
    remedy: "Check the connection's address; a proxy or login page may answer in its place.",
  },
  answer_not_asked_for: {
    status: 502,
    title: 'The answer is of something else than was asked for',
    cause:
      'A record came back that does not have the value that was asked for. The external system may not know the filter, and has answered with everything it has.',
    remedy: "Do not use the answer. Compare the request with the vendor's API; it may have changed its filters.",
  },
  items_failed: {
    status: 502,
    title: 'Some or all of what the call was about was not done',
    cause:
      'The call is about several things, and the external system says that some of them failed; the detail names them, and the output has the result of each.',
    remedy: 'Look at the result of each. Correct what is wrong with those that failed, and run the skill for them again.',
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
    cause: 'Its token endpoint refused: client id or secret are wrong, or the client may not sign in this way; the detail says what it answered.',
    remedy: "Compare the connection's client id, client secret and address with those in the external system.",
  },
  derived_origin_refused: {
    status: 502,
    title: 'The external system named an address that is not allowed',
    cause:
      "The address in its token answer, where requests should go, is neither one of the connection's own origins nor allowed by the integration.",
    remedy: "If the address is the system's, save it as the connection's address; else check whether the connection leads to the right system.",
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
  handler_failed: {
    status: 500,
    title: "A skill's code failed",
    cause: 'The handler threw an error, asked the host for something that there is not, or could not be run; the detail says which.',
    remedy: 'Report it to whoever wrote the plugin, with the detail.',
  },
  handler_timeout: {
    status: 504,
    title: "A skill's code took too long",
    cause: "The handler was not done within its time-out, or the step's.",
    remedy: "Ask for less, or raise the step's timeout.",
  },
  handler_memory: {
    status: 500,
    title: "A skill's code wanted too much memory",
    cause: 'The handler used up the memory of its isolate and was ended.',
    remedy: 'Ask for less; the limit is `handler.memory` of the skill.',
  },
  handler_died: {
    status: 500,
    title: "A skill's code ended the process that ran it",
    cause: 'The process of the isolates ended; nothing but the calls in it was lost, and a new one takes its place.',
    remedy: 'Retry the investigation; if it happens again, report it to whoever wrote the plugin.',
  },
  isolates_busy: {
    status: 503,
    title: 'No slot was free for the code of a skill',
    cause: 'Handlers and scripts share a few slots of the process, and others held all of them for half a minute. Nothing was sent.',
    remedy:
      'A run tries again by itself. By hand, try again later. If it happens often, run more workers, or shorten the time-outs of what holds the slots.',
  },
  handler_requests_exceeded: {
    status: 422,
    title: 'A call made more requests than it may',
    cause: 'The handler reached `handler.max_requests` of its skill.',
    remedy: 'Ask for less.',
  },
  paused: {
    status: 409,
    title: 'A write was not sent, because it is paused',
    cause: 'Somebody has paused everything, the organization, the playbook or the connection; the detail says what, since when, by whom and why.',
    remedy: '`tocsin pause list` shows what is paused; `tocsin resume` lets it go on. A run goes on by itself then; a call by hand is made again.',
  },
  send_too_late: {
    status: 504,
    title: 'A write was not sent, because it was too late',
    cause:
      'The deadline of the write (`send_by`) had passed when it was about to leave: the clock of the machine jumped, or the process stalled. Nothing was sent. In a run, this happened four times in a row.',
    remedy: "Check the machine's clock and load. Then retry the investigation.",
  },
} as const satisfies Record<string, ErrorEntry>
