const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

export interface JsonStructure {
  readonly depth: number
  /** Fields written in the text, of all objects together. */
  readonly members: number
}

/** What the text of a JSON value is built of. Only strings are told from the rest: of what is not JSON it says something, and quickly. */
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

/** Where the string that opens at `start` closes. */
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

/** Fields of all objects of a parsed value together; fewer than written when one was given twice. */
export function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += memberCount(item)
    return count
  }
  // Several times as fast as a list of the values. What a parser made inherits nothing that shows here.
  for (const name in value) count += 1 + memberCount((value as Readonly<Record<string, unknown>>)[name])
  return count
}

/** Names of fields and numbers of items, from 0, from the outside. */
export type JsonPath = readonly (string | number)[]

/**
 * Where a field stands in its object for the second time, which a parsed value no longer shows; null: nowhere. Goes through the text only
 * where fields of it are missing from the value.
 * @param members fields written in the text, of all objects together
 */
export function repeatedIn(text: string, value: unknown, { members }: Pick<JsonStructure, 'members'>): JsonPath | null {
  return memberCount(value) === members ? null : repeatedPath(text)
}

/** The path of the first field that is given twice in its object, dotted; null when there is none. */
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
