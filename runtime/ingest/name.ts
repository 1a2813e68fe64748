import { type Json, mostLevels, mostNames } from '../domain/index.ts'
import type { Turns } from '../fairness/index.ts'
import { type JsonLimits, JsonRefused, readJson, withoutMark } from '../json/index.ts'

/** Where alert sources put an alert's title. The first path with a text wins. */
const namePaths: readonly (readonly string[])[] = [
  ['title'],
  ['name'],
  ['alert_name'],
  ['alertName'],
  ['rule_name'],
  ['ruleName'],
  ['rule', 'name'],
  ['rule', 'title'],
  ['signature'],
  ['subject'],
  ['event', 'title'],
  ['summary'],
]
const longest = 200

/** Content over these limits is not searched for a title. */
const limits: JsonLimits = { levels: mostLevels, values: 200_000, names: mostNames }

/** How many characters at the beginning are checked to see whether the content may be an object. */
const looked = 1_024

/**
 * Returns the content's title or rule name if it has one, else the type, else the provider. Long content is
 * read in turns of the event loop.
 * @param key who shares the turns
 */
export function alertName(content: string, type: string | null, provider: string, turns: Turns, key: string): string | Promise<string> {
  const without = type ?? provider
  // Only an object can have a title, so text is not parsed.
  if (!/^\s*\{/.test(content.slice(0, looked))) return without
  const none = (error: unknown): string => {
    if (error instanceof JsonRefused) return without
    throw error
  }
  try {
    const value = readJson(withoutMark(content), { limits, turns, key, piece: (text) => JSON.parse(text) as Json })
    return value instanceof Promise ? value.then((read) => titleIn(read) ?? without, none) : (titleIn(value) ?? without)
  } catch (error) {
    return none(error)
  }
}

function titleIn(value: Json): string | null {
  for (const path of namePaths) {
    const found = path.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined),
      value,
    )
    if (typeof found === 'string' && found.trim() !== '') return found.trim().slice(0, longest)
  }
  return null
}
