import { useSyncExternalStore } from 'react'

/** After this time without an answer, the page says that a change may or may not have been made, in milliseconds. */
const patience = 10_000

/** A change whose answer takes long. */
export interface LateChange {
  /** The address of the API: `/platformapi/cases/ACME-42`. */
  readonly path: string
  /** In epoch milliseconds. */
  readonly sentAt: number
}

/** What became of a late change: there is no answer yet, it was made, or why it was not. */
export type Became = { readonly kind: 'unknown' } | { readonly kind: 'made' } | { readonly kind: 'failed'; readonly error: unknown }

const waiting = new Set<LateChange>()
const listeners = new Set<(change: LateChange, became: Became) => void>()

/** Tells the listener of each change when it is late, and again when its answer comes. @returns what ends that */
export function onLateChange(listener: (change: LateChange, became: Became) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether there is a late change without an answer. Then nobody has to wait for it in a dialog. */
export function useLateChange(): boolean {
  return useSyncExternalStore(onLateChange, () => waiting.size > 0)
}

/** Waits for the answer of a change, and tells the listeners if it takes long. */
export async function answerInTime<Answer>(path: string, answer: Promise<Answer>): Promise<Answer> {
  const change: LateChange = { path, sentAt: Date.now() }
  const timer = setTimeout(() => {
    waiting.add(change)
    tell(change, { kind: 'unknown' })
  }, patience)
  const ended = (became: Became): void => {
    clearTimeout(timer)
    if (waiting.delete(change)) tell(change, became)
  }
  try {
    const answered = await answer
    ended({ kind: 'made' })
    return answered
  } catch (error) {
    ended({ kind: 'failed', error })
    throw error
  }
}

function tell(change: LateChange, became: Became): void {
  for (const listener of listeners) listener(change, became)
}
