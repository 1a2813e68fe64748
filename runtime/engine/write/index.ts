/**
 * Sends one write at most once: `send-write.ts`. The intent is durable in the journal before the request
 * leaves. If nobody knows whether the write happened, `resolve-unknown-write.ts` finds out or asks people.
 */
export {}
