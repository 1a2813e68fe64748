import type { ActId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import { cutText } from '../text/cut.ts'
import type { Json } from '../text/json.ts'

/** The things that an act was done to, by names and ids. Never a credential, and nothing of an alert or an answer except the targets of a call. */
export type ActedOn = Readonly<Record<string, Json>>

/** One entry of the audit log: something that a person or a script did over the API. Nothing changes it. */
export interface Act {
  readonly id: ActId
  readonly at: Millis
  readonly principal: PrincipalId
  /** The principal's name at that time. */
  readonly by: string
  /** The operation of the API: `createKey`. */
  readonly action: string
  /** What was done, in words: `an API key was created`. */
  readonly text: string
  readonly on: ActedOn
}

/** How long the audit log keeps an act. More than the year that auditors ask for. */
export const actsKeptFor: Millis = 400 * 24 * 60 * 60 * 1_000

const mostText = 500
const mostItems = 100
const mostNames = 64
const longestName = 200
const mostDepth = 4

/** Shortens long texts and lists, so that no request makes a large entry. */
export function boundedDetails(on: ActedOn): ActedOn {
  return bounded(on, 0) as ActedOn
}

function bounded(value: Json, depth: number): Json {
  if (typeof value === 'string') return cutText(value, mostText)
  if (value === null || typeof value !== 'object') return value
  if (depth === mostDepth) return '…'
  if (Array.isArray(value)) {
    const kept = value.slice(0, mostItems).map((item) => bounded(item, depth + 1))
    return value.length > mostItems ? [...kept, `… and ${value.length - mostItems} more`] : kept
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostItems)
      .map(([name, item]) => [name, bounded(item as Json, depth + 1)]),
  )
}

/** Returns the names and ids in the details of an act, by which people look for it: at most 64. */
export function namesIn(on: ActedOn): readonly string[] {
  const names = new Set<string>()
  const collect = (value: Json): void => {
    if (names.size === mostNames || value === null) return
    if (typeof value === 'string') {
      if (value !== '' && value.length <= longestName) names.add(value)
    } else if (typeof value === 'object') for (const item of Object.values(value)) collect(item)
  }
  collect(on)
  return [...names]
}
