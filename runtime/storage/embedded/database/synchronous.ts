/** An aggregate of the port inside the store's thread: the same methods without promises. */
export type Synchronous<T> = {
  [K in keyof T]: T[K] extends (...parameters: infer P) => Promise<infer R> ? (...parameters: P) => R : never
}
