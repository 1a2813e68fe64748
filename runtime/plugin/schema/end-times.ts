import { type Json, type Millis, timeText } from '../../domain/index.ts'
import { durationPattern, durationText, isoTime, parseDuration } from '../../formats/index.ts'

type Schema = Readonly<Record<string, Json>>

/** An input of a write that says when something that the call sets will end, such as a bypass or a snooze. */
export interface EndInput {
  readonly name: string
  /** `ms`, `s`: a number since 1970. `text`: ISO 8601, in UTC if it has no zone. */
  readonly unit: 'ms' | 's' | 'text'
  /** How far ahead it may be, unless the organization's policy says otherwise. */
  readonly within: Millis
}

/** Why a call must not be sent as it is. */
export interface EndFault {
  readonly code: 'end_past' | 'span_too_long'
  readonly message: string
}

/** The keyword in the schema of an input. */
export const endKeyword = {
  keyword: 'x-ends',
  metaSchema: {
    type: 'object',
    required: ['unit', 'within'],
    additionalProperties: false,
    properties: { unit: { enum: ['ms', 's', 'text'] }, within: { type: 'string', pattern: durationPattern } },
  },
}

/**
 * Returns the inputs of a schema that say when something ends. @throws RangeError if one of their
 * spans is too long
 */
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
 * Checks the ends that a call would set. Runs right before the call is sent, because its approval
 * may have taken long.
 * @param longest the longest span that the policy allows. Undefined: the policy does not say. Null:
 * any span
 * @returns null if each end is in the future and not too far ahead
 */
export function endFault(ends: readonly EndInput[], input: Json, now: Millis, longest: Millis | null | undefined): EndFault | null {
  for (const { name, unit, within } of ends) {
    const time = momentOf((input as Schema)[name], unit)
    if (time === null) continue
    if (Number.isNaN(time)) return { code: 'end_past', message: `${name} is not a valid time.` }
    if (time <= now) return { code: 'end_past', message: `${name} is ${timeText(time)}, which has passed. The call would have no effect.` }
    const most = longest === undefined ? within : longest
    if (most !== null && time - now > most) {
      const who = longest === undefined ? 'the skill' : "the organization's policy"
      return { code: 'span_too_long', message: `${name} is ${timeText(time)}, but ${who} allows at most ${durationText(most)} from now.` }
    }
  }
  return null
}

/** Returns epoch milliseconds. Null if there is no value. NaN if the value is not a time. */
function momentOf(value: Json | undefined, unit: EndInput['unit']): Millis | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return unit === 's' ? value * 1_000 : value
  return (unit === 'text' && typeof value === 'string' ? isoTime(value) : undefined) ?? Number.NaN
}
