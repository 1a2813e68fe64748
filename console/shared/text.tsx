import type { JSX } from 'react'
import { seen } from './seen.ts'

/** Text from outside, apart from the direction of writing of what stands around it. */
export function Text({ value }: { readonly value: string }): JSX.Element {
  return <bdi>{seen(value)}</bdi>
}

/** JSON as people read it. */
export function Json({ value }: { readonly value: unknown }): JSX.Element {
  return <pre dir="ltr">{seen(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
}
