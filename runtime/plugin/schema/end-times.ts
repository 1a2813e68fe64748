import type { Json, Millis } from '../../domain/index.ts'
import { durationPattern, durationText, parseDuration } from '../../yaml/index.ts'

type Schema = Readonly<Record<string, Json>>

/** An input of a write that says when what the call sets comes to its end: a bypass, a snooze. */
export interface EndInput {
  readonly name: string
  /** Of a number, since 1970; `text`: ISO 8601. */
  readonly unit: 'ms' | 's' | 'text'
  /** How far ahead it may be at most, unless the policy of the organization says otherwise. */
  readonly within: Millis
}

/** Why a call must not be sent as it is. */
export interface EndFault {
  readonly code: 'end_past' | 'span_too_long'
  readonly message: string
}

/** The keyword of an input's schema. */
export const endKeyword = {
  keyword: 'x-ends',
  metaSchema: {
    type: 'object',
    required: ['unit', 'within'],
    additionalProperties: false,
    properties: { unit: { enum: ['ms', 's', 'text'] }, within: { type: 'string', pattern: durationPattern } },
  },
}

/** The inputs of a schema that say when something ends. @throws RangeError when one of their spans is too long */
export function endsOf({ properties }: Schema): readonly EndInput[] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties as Readonly<Record<string, Schema>>).flatMap(([name, schema]) => {
    const ends = typeof schema === 'object' ? schema[endKeyword.keyword] : undefined
    if (ends === undefined) return []
    const { unit, within } = ends as unknown as { readonly unit: EndInput['unit']; readonly within: string }
    return [{ name, unit, within: parseDuration(within) }]
  })
}

/**
 * Asked right before a call is sent, because people may have taken their time to approve it.
 * @param longest what the policy allows: undefined: it does not say; null: any span
 * @returns null when each end lies ahead, and not too far
 */
export function endFault(ends: readonly EndInput[], input: Json, now: Millis, longest: Millis | null | undefined): EndFault | null {
  for (const { name, unit, within } of ends) {
    const time = momentOf((input as Schema)[name], unit)
    if (time === null) continue
    if (Number.isNaN(time)) return { code: 'end_past', message: `${name} is no time that can be counted with.` }
    if (time <= now) return { code: 'end_past', message: `${name} is ${shown(time)}, which is past: the call would set nothing.` }
    const most = longest === undefined ? within : longest
    if (most !== null && time - now > most) {
      const who = longest === undefined ? 'the skill' : "the organization's policy"
      return { code: 'span_too_long', message: `${name} is ${shown(time)}; ${who} allows ${durationText(most)} from now at most.` }
    }
  }
  return null
}

/** Epoch milliseconds; null where nothing is said. What is no time is as far from any as can be. */
function momentOf(value: Json | undefined, unit: EndInput['unit']): Millis | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return unit === 's' ? value * 1_000 : value
  return unit === 'text' && typeof value === 'string' ? Date.parse(value) : Number.NaN
}

function shown(time: Millis): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? `${time}` : date.toISOString()
}
