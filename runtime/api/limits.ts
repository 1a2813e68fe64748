import type { Millis } from '../domain/index.ts'

/** Beyond this a JSON number is not exact (2^53 - 1). As milliseconds it is the year 287396. */
export const maxMillis = Number.MAX_SAFE_INTEGER

/** Alerts in one batch, at most. */
export const maxBatch = 1_000
/** A body of many alerts or playbooks may be this many times as large as another. */
export const batchBodyFactor = 16

/** Characters of one playbook's text. */
export const maxPlaybookLength = 524_288

/** Characters of an alert's content in a list. */
export const previewLength = 200

/** At most this many different words in one search, because each word walks through the index of words. */
export const maxSearchWords = 20
/** How many searches of one organization a process gives the store at once. All organizations together may have a third more. */
export const searchesAtOnce = 2

/** Bytes of all headers of a request together. */
export const maxHeaderBytes = 16_384
/** Longer than any id can be by the header limit, so that a long id is an unknown one and not a fault of its own. */
export const maxParamLength = 2 * maxHeaderBytes

/** A request's headers must be there after this, the whole request after `requestTimeout`: nobody holds a connection by trickling. */
export const headersTimeout: Millis = 15_000
export const requestTimeout: Millis = 60_000
/** How often the two above are looked at. */
export const timeoutCheckEvery: Millis = 2_500
/** A connection without any traffic is closed after this; longer than the longest held answer. */
export const idleTimeout: Millis = 330_000
/** An idle connection is kept for the next request this long; longer than the usual minute of load balancers. */
export const keepAliveTimeout: Millis = 72_000
