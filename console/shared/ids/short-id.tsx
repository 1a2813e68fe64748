import type { JSX } from 'react'
import { Copy } from '../copy.tsx'

/** How many characters of an id are shown. A reader can tell ids apart by them. */
const shown = 8

/** Returns whether a text is an id that says nothing to people: a UUID, alone or with an ending. */
export function isRawId(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?:-[a-z]\d+)*$/i.test(text)
}

/** The beginning of an id that says nothing to people. The pointer shows all of it, and a button copies it. */
export function ShortId({ value, what }: { readonly value: string; readonly what: string }): JSX.Element {
  return (
    <span className="id">
      <code title={value}>{value.slice(0, shown)}…</code>
      <Copy value={value} what={what} />
    </span>
  )
}
