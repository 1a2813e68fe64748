import type { Millis } from '../domain/index.ts'

/** 2^53 - 1: a larger JSON number is not exact. As milliseconds it is the year 287396. */
export const maxMillis = Number.MAX_SAFE_INTEGER

/** The most alerts in one batch. */
export const maxBatch = 1_000
/** How many times larger a body with many alerts or playbooks may be than other bodies. */
export const batchBodyFactor = 16

/** The most characters of a playbook's text. */
export const maxPlaybookLength = 524_288

/** How many characters of an alert's content a list shows. */
export const previewLength = 200

/** The most different words in one search. Each word scans the index of words. */
export const maxSearchWords = 20
/** How many searches of one organization a process runs in the store at once. All organizations together may have a third more. */
export const searchesAtOnce = 2

/** The most alerts or runs that a count or a statistic examines, and how many of them one read of the store examines. */
export const mostExamined = 250_000
export const examinedAtOnce = 10_000
/** How old a count may be. */
export const countAge: Millis = 5_000
/** How old statistics may be. */
export const statisticsAge: Millis = 15_000

/** The most bytes of all headers of a request together. */
export const maxHeaderBytes = 16_384
/** Longer than any path that the header limit allows, so that an overlong id is answered as unknown and not with an error of the router. */
export const maxParamLength = 2 * maxHeaderBytes

/** Up to this many bytes, a body is read without a limit of how many at once. */
export const smallBody = 65_536
/** How many larger bodies of one owner a process reads at once. All owners together may have a third more. */
export const bodiesAtOnce = 120
/** The same for those that are larger than a usual body may be. */
export const largeBodiesAtOnce = 12

/** How many requests may wait on one connection for the answer to an earlier one. Most clients send the next request after that answer. */
export const mostPipelined = 50

/** The headers of a request must arrive within this time, and the whole request within `requestTimeout`: slow senders cannot hold connections. */
export const headersTimeout: Millis = 15_000
export const requestTimeout: Millis = 60_000
/** How often the two timeouts above are checked. */
export const timeoutCheckEvery: Millis = 2_500
/** A connection without any traffic is closed after this time. It is longer than the longest held answer. */
export const idleTimeout: Millis = 330_000
/** How long an idle connection is kept for the next request. It is longer than the usual minute of load balancers. */
export const keepAliveTimeout: Millis = 72_000
