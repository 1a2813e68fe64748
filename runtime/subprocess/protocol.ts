/** What a helper is sent. */
export interface ToHelper {
  readonly task: number
  readonly body: unknown
}

/** What a helper sends: that it is ready, and how a task ended. */
export type FromHelper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly task: number; readonly body: unknown }
  /** The task's own code threw an error, which is a defect of ours. */
  | { readonly kind: 'failed'; readonly task: number; readonly message: string }
