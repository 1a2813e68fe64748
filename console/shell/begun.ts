import { useWho } from './who.ts'

/** What people have begun to write, by person and place. It stays while they look at other pages, until the window is closed. */
const begun = new Map<string, unknown>()

/** Keeps what the person who is signed in has begun to write at one place. */
export interface Begun<Value> {
  /** Undefined: nothing was begun. */
  read(): Value | undefined
  keep(value: Value): void
  forget(): void
}

/**
 * Returns what keeps the text of a form while the person looks at another page.
 * @param place names the form. All forms of one place keep values of one type
 */
export function useBegun<Value>(place: string): Begun<Value> {
  const key = `${useWho().principal_uuid} ${place}`
  return {
    read: () => begun.get(key) as Value | undefined,
    keep: (value) => void begun.set(key, value),
    forget: () => void begun.delete(key),
  }
}
