import { useWho } from './who.ts'

/** What people have begun to write, by person and place. It stays while they look at other pages, until the window is closed. */
const begun = new Map<string, unknown>()

/** Like `begun`, for forms with secrets. Signing out ends it, because nothing else says that the person is done with them. */
const begunWithSecrets = new Map<string, unknown>()

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
  return keptIn(begun, `${useWho().principal_uuid} ${place}`)
}

/**
 * Like `useBegun`, for a form in which people type secrets. They stay in the memory of the page, and only until the person signs out.
 * @param place as for `useBegun`
 */
export function useBegunWithSecrets<Value>(place: string): Begun<Value> {
  return keptIn(begunWithSecrets, `${useWho().principal_uuid} ${place}`)
}

/** Forgets the forms that may have secrets. */
export function forgetBegunSecrets(): void {
  begunWithSecrets.clear()
}

function keptIn<Value>(forms: Map<string, unknown>, key: string): Begun<Value> {
  return {
    read: () => forms.get(key) as Value | undefined,
    keep: (value) => void forms.set(key, value),
    forget: () => void forms.delete(key),
  }
}
