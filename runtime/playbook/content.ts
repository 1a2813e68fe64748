import { LRUCache } from 'lru-cache'
import { type Json, mostLevels, mostNames, mostValues, parseJson } from '../domain/index.ts'
import { noTurns, type Turns } from '../fairness/index.ts'
import { type JsonLimits, JsonRefused, parseWithin, readJson } from '../json/index.ts'

/** Content of more than this is a text like any other (docs/reference/limits.md). */
const limits: JsonLimits = { levels: mostLevels, values: mostValues, names: mostNames }

/** Characters from which on what was read is kept for the next who asks: a run asks for it several times. */
const long = 32_768
const mostKept = 8

/** Begins with what JSON does not begin with. */
const prose = /^\s*[^\s[{"tfn\d-]/

/** What was read, by the text. A text that is no JSON has no value. */
const kept = new LRUCache<string, { readonly json?: Json }>({ maxSize: mostKept, sizeCalculation: () => 1 })

/**
 * The JSON that an alert's content is; undefined when it is none, or more than may be read. Long content is quick to have after
 * `readContent`.
 */
export function contentJson(content: string): Json | undefined {
  const known = kept.get(content)
  if (known) return known.json
  if (prose.test(content.slice(0, 1_024))) return undefined
  return orNone(() => parseWithin(content, limits, parseJson))
}

/**
 * Parses long content in turns with other work, and caches the result for `contentJson`.
 *
 * @param key the owner whose turns it uses: an organization
 */
export async function readContent(content: string, turns: Turns = noTurns, key = ''): Promise<void> {
  if (content.length < long || kept.has(content) || prose.test(content.slice(0, 1_024))) return
  const json = await Promise.resolve()
    .then(() => readJson(content, { limits, turns, key, piece: parseJson }))
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
