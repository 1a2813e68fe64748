/** Epoch milliseconds, as everywhere in the platform API. */
export type Millis = number

/** Where time comes from. All other code in the runtime reads the time and sets timers through this. */
export interface Clock {
  now(): Millis
  /** Resolves after `delay` milliseconds, however long. Rejects with the signal's reason if it aborts first. */
  sleep(delay: Millis, signal?: AbortSignal): Promise<void>
  /** Calls `action` once after `delay` milliseconds, however long, unless the returned function is called first. */
  after(delay: Millis, action: () => void): () => void
  /**
   * Calls `action` every `period` milliseconds until the returned function is called. Does not keep the
   * process alive.
   */
  every(period: Millis, action: () => void): () => void
}

/** Where ids and secrets come from. */
export interface Ids {
  /** A UUIDv7. Within one process, UUIDs rise with time. */
  uuid(): string
  /** `bytes` random bytes as base64url, for keys and tokens. */
  secret(bytes: number): string
}
