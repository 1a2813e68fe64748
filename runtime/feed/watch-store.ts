import type { RunClaim, Store } from '../storage/index.ts'
import type { Change } from './change.ts'
import { type Rules, rules } from './rules.ts'
import type { Touch } from './touch.ts'

/** Where the store's writes are reported. */
export interface WriteListener {
  /** Whether anybody listens. If not, nothing is reported. */
  readonly watched: boolean
  note(touches: readonly Touch[]): void
  /** Looks up an object that is about to be removed. Null if it cannot be found. Never rejects. */
  look(touch: Touch): Promise<Change | null>
}

type Method = (...parameters: unknown[]) => Promise<unknown>
type AnyRule = null | ((answer: unknown, ...parameters: unknown[]) => readonly Touch[]) | { readonly removes: (...parameters: unknown[]) => Touch }

/** When the store has what a method has written. Null: at once. A claim may answer before its commit. */
const written = (answer: unknown): Promise<void> | null => (answer as { readonly opened?: Promise<void> } | null)?.opened ?? null

/** Returns what a claim touches later, when the alert shows it. Null: the answer is of another method, or nothing comes later. */
function shownLater(answer: unknown, [, claim]: readonly unknown[]): Promise<readonly Touch[]> | null {
  const { shown } = (answer ?? {}) as { readonly shown?: Promise<void> }
  if (!shown) return null
  const { alert } = claim as RunClaim
  return shown.then(() => [{ kind: 'alert', alert, change: 'changed' }])
}

function reporting(method: Method, rule: NonNullable<AnyRule>, listener: WriteListener): Method {
  if (typeof rule === 'function')
    return async (...parameters) => {
      const answer = await method(...parameters)
      const note = (touches: readonly Touch[]): void => {
        if (listener.watched) listener.note(touches)
      }
      const durable = written(answer)
      if (durable)
        void durable.then(
          () => note(rule(answer, ...parameters)),
          () => {},
        )
      else if (listener.watched) note(rule(answer, ...parameters))
      void shownLater(answer, parameters)?.then(note)
      return answer
    }
  return async (...parameters) => {
    const change = listener.watched ? await listener.look(rule.removes(...parameters)) : null
    const removed = await method(...parameters)
    if (removed === true && change) listener.note([{ kind: 'known', change: { ...change, change: 'removed' } }])
    return removed
  }
}

/** Returns a store that reports each successful write of `store`, once the write is durable. */
export function watchStore(store: Store, listener: WriteListener): Store {
  const wrapped: Partial<Record<keyof Rules, unknown>> = {}
  for (const name of Object.keys(rules) as (keyof Rules)[]) {
    const aggregate = { ...store[name] } as unknown as Record<string, Method>
    for (const [key, rule] of Object.entries(rules[name] as Readonly<Record<string, AnyRule>>)) {
      const method = aggregate[key]
      if (rule !== null && method) aggregate[key] = reporting(method, rule, listener)
    }
    wrapped[name] = aggregate
  }
  return { ...store, ...(wrapped as Partial<Store>) }
}
