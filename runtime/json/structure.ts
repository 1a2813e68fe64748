const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

export interface JsonStructure {
  readonly depth: number
  /** How many fields the text has, over all objects. A repeated field counts each time. */
  readonly members: number
}

/**
 * Counts the levels and fields of a JSON text. Fast, because it parses only strings. For a text that is not
 * JSON the result means nothing.
 */
export function structureOf(text: string): JsonStructure {
  let members = 0
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (character === colon) members++
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (character === 0x7d || character === 0x5d) depth--
  }
  return { depth: deepest, members }
}

/** Returns where the string that opens at `start` closes, or the end of the text if it does not. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/**
 * Returns how many fields a parsed value has, over all objects. If the text repeats a field, this is fewer
 * than in the text.
 */
export function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += memberCount(item)
    return count
  }
  // Several times as fast as Object.values. A parsed object inherits no enumerable properties.
  for (const name in value) count += 1 + memberCount((value as Readonly<Record<string, unknown>>)[name])
  return count
}

/** Field names and item indexes (from 0), outermost first. */
export type JsonPath = readonly (string | number)[]

/**
 * Returns the path of the first repeated field. Null: there is none. A parsed value no longer shows repeated
 * fields, so this searches the text. It does so only if the value has fewer fields than the text.
 * @param members how many fields the text has, over all objects
 */
export function repeatedIn(text: string, value: unknown, { members }: Pick<JsonStructure, 'members'>): JsonPath | null {
  return memberCount(value) === members ? null : repeatedPath(text)
}

/** Returns the dotted path of the first repeated field. Null: there is none. */
export function repeatedField(text: string): string | null {
  return repeatedPath(text)?.join('.') ?? null
}

function repeatedPath(text: string): JsonPath | null {
  interface Level {
    readonly fields: Set<string> | null
    key: string
    index: number
  }
  const levels: Level[] = []
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    const level = levels.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      last = text.slice(at, end + 1)
      at = end
    } else if (character === '{') levels.push({ fields: new Set(), key: '', index: 0 })
    else if (character === '[') levels.push({ fields: null, key: '', index: 0 })
    else if (character === '}' || character === ']') levels.pop()
    else if (character === ',' && level !== undefined) level.index++
    else if (character === ':' && level?.fields) {
      level.key = JSON.parse(last) as string
      if (level.fields.has(level.key)) return levels.map((each) => (each.fields === null ? each.index : each.key))
      level.fields.add(level.key)
    }
  }
  return null
}
