import { type FetchFailure, type Json, longerThan } from '../domain/index.ts'
import { registry } from '../errors/index.ts'
import { partAt } from '../json/index.ts'

/** The largest output that one attempt reads, in characters, roughly. */
const largestOutput = 10 * 1024 * 1024

/** What an output of the skill has. */
export type FoundItems =
  | { readonly ok: true; readonly items: readonly Json[] /** The skill stopped at its limit, so there are more. */; readonly cut: boolean }
  | { readonly ok: false; readonly failure: FetchFailure }

/**
 * Finds the items in the output of a skill. A list that is null is empty. A list that is missing is a failure: the system may have changed
 * its answers, and then alerts would be lost without a word.
 * @param place a JSON pointer. Empty: the output itself
 */
export function itemsIn(output: Json, place: string): FoundItems {
  if (longerThan(output, largestOutput))
    return { ok: false, failure: { code: 'output_too_large', message: `The answer has more than ${largestOutput} characters.`, remedy } }
  const list = place === '' ? output : partAt(output, place)
  if (list === null) return { ok: true, items: [], cut: false }
  if (!Array.isArray(list))
    return {
      ok: false,
      failure: {
        code: 'fetch_answer_unfit',
        message: `The output has no list at ${place === '' ? 'its top' : place}.`,
        remedy: registry.fetch_answer_unfit.remedy,
      },
    }
  return { ok: true, items: list as readonly Json[], cut: isCut(output) }
}

const remedy = 'Read `until` in the input too. Then each attempt asks for a part of the time.'

/** A skill that stops at a limit says so in `truncated`: docs/guides/plugin-skills.md. */
function isCut(output: Json): boolean {
  return typeof output === 'object' && output !== null && 'truncated' in output && output['truncated'] === true
}
