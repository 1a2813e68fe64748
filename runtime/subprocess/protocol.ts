/** A message to a helper: a task, or the answer to a question of its task. */
export type ToHelper =
  | { readonly kind: 'task'; readonly task: number; readonly body: unknown }
  | { readonly kind: 'answer'; readonly question: number; readonly body: unknown }
  /** The question could not be answered. */
  | { readonly kind: 'no_answer'; readonly question: number; readonly message: string }

/** A message from a helper: it is ready, it has a question, or its task has ended. */
export type FromHelper =
  | { readonly kind: 'ready' }
  | { readonly kind: 'question'; readonly task: number; readonly question: number; readonly body: unknown }
  | { readonly kind: 'done'; readonly task: number; readonly body: unknown }
  /** The task's own code threw an error, which is a defect of ours. */
  | { readonly kind: 'failed'; readonly task: number; readonly message: string }
