import type { JSX } from 'react'
import { seen } from './seen.ts'

/** Text from outside. Its writing direction does not affect the text around it. */
export function Text({ value }: { readonly value: string }): JSX.Element {
  return <bdi>{seen(value)}</bdi>
}

/** JSON, formatted for people. */
export function Json({ value }: { readonly value: unknown }): JSX.Element {
  return <pre dir="ltr">{seen(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
}
