/** What a helper is sent. */
export interface ToHelper {
  readonly task: number
  readonly body: unknown
}

/** What a helper says: that it can begin, and how a task ended. */
export type FromHelper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly task: number; readonly body: unknown }
  /** The task's own code failed: a fault of ours. */
  | { readonly kind: 'failed'; readonly task: number; readonly message: string }
