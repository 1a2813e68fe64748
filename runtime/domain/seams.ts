/** Epoch milliseconds, as everywhere on the platform API. */
export type Millis = number

/** Where time comes from. Nothing in the runtime reads the wall clock or sets a timer but through this. */
export interface Clock {
  now(): Millis
  /** Resolves after `delay` milliseconds, however many; rejects with the signal's reason when it aborts first. */
  sleep(delay: Millis, signal?: AbortSignal): Promise<void>
  /** Calls `action` once after `delay` milliseconds, however many, unless the returned function is called first. */
  after(delay: Millis, action: () => void): () => void
  /** Calls `action` every `period` milliseconds until the returned function is called. Does not keep the process alive. */
  every(period: Millis, action: () => void): () => void
}

/** Where ids and secrets come from. */
export interface Ids {
  /** A UUIDv7: rising with time within one process. */
  uuid(): string
  /** `bytes` random bytes as base64url, for keys and tokens. */
  secret(bytes: number): string
}
