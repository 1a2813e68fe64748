import { type Json, mostLevels, mostNames } from '../domain/index.ts'
import type { Turns } from '../fairness/index.ts'
import { type JsonLimits, JsonRefused, readJson } from '../json/index.ts'

/** Where alert sources put what people call an alert; the first that is a text wins. */
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

/** Content of more than this is not searched for a title. */
const limits: JsonLimits = { levels: mostLevels, values: 200_000, names: mostNames }

/** Characters at the beginning that say whether the content may be an object. */
const looked = 1_024

/**
 * The content's title or rule name where it has one, else the type, else the provider. Of long content it is found in turns.
 * @param key whose turns they are
 */
export function alertName(content: string, type: string | null, provider: string, turns: Turns, key: string): string | Promise<string> {
  const without = type ?? provider
  // Only an object can have a title; text is not worth a parse.
  if (!/^\s*\{/.test(content.slice(0, looked))) return without
  const none = (error: unknown): string => {
    if (error instanceof JsonRefused) return without
    throw error
  }
  try {
    const value = readJson(content, { limits, turns, key, piece: (text) => JSON.parse(text) as Json })
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
