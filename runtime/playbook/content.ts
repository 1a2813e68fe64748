import { boundedCache } from '../caches/index.ts'
import { type Json, mostLevels, mostNames, mostValues, parseJson } from '../domain/index.ts'
import { noTurns, type Turns } from '../fairness/index.ts'
import { type JsonLimits, JsonRefused, parseWithin, readJson, withoutMark } from '../json/index.ts'

/** Content beyond these limits is treated as text (docs/reference/limits.md). */
const limits: JsonLimits = { levels: mostLevels, values: mostValues, names: mostNames }

/**
 * Content with this many characters or more is cached after parsing, because a run needs it several
 * times.
 */
const long = 32_768
const mostKept = 8

/** Matches text that does not start like JSON. */
const prose = /^\s*[^\s[{"tfn\d-]/

/** The parsed content, by its text. An entry without a value is text that is not JSON. */
const kept = boundedCache<string, { readonly json?: Json }>(mostKept)

/**
 * Returns the JSON of an alert's content. Undefined if it is not JSON, or exceeds the limits. For
 * long content call `readContent` first, which makes this fast.
 */
export function contentJson(content: string): Json | undefined {
  const known = kept.get(content)
  if (known) return known.json
  if (prose.test(content.slice(0, 1_024))) return undefined
  return orNone(() => parseWithin(withoutMark(content), limits, parseJson))
}

/**
 * Parses long content in turns with other work, and caches the result for `contentJson`.
 *
 * @param key the owner whose turns it uses: an organization
 */
export async function readContent(content: string, turns: Turns = noTurns, key = ''): Promise<void> {
  if (content.length < long || kept.has(content) || prose.test(content.slice(0, 1_024))) return
  const json = await Promise.resolve()
    .then(() => readJson(withoutMark(content), { limits, turns, key, piece: parseJson }))
    .catch(orRefused)
  kept.set(content, json === undefined ? {} : { json })
}

function orNone(parse: () => Json): Json | undefined {
  try {
    return parse()
  } catch (error) {
    return orRefused(error)
  }
}

function orRefused(error: unknown): undefined {
  if (error instanceof JsonRefused || error instanceof SyntaxError) return undefined
  throw error
}
