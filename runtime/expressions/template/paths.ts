import type { Json } from '../../domain/index.ts'
import type { Context, Path } from '../types.ts'

const pathPattern = String.raw`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`
const wholePattern = new RegExp(String.raw`^\{\{\s*(${pathPattern})\s*\}\}$`)
const outputPattern = new RegExp(String.raw`\{\{\s*(${pathPattern})\s*\}\}`, 'g')

/** Words that are values or operators of Liquid, not names. */
const reserved = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank', 'and', 'or', 'not', 'contains'])
/** Members that Liquid computes for lists, texts and objects. */
const computed = new Set(['size', 'first', 'last'])

/** Returns the path of a string that is exactly one `{{ a.b.c }}`. Null if the string needs Liquid. */
export function simplePath(source: string): Path | null {
  const text = wholePattern.exec(source)?.[1]
  return text === undefined ? null : plain(text)
}

/** Returns the constant parts of a text and the plain paths between them. Null if the text needs Liquid. */
export function simpleParts(source: string): readonly (string | Path)[] | null {
  const parts: (string | Path)[] = []
  let end = 0
  for (const match of source.matchAll(outputPattern)) {
    const path = plain(match[1] ?? '')
    if (path === null) return null
    if (match.index > end) parts.push(source.slice(end, match.index))
    parts.push(path)
    end = match.index + match[0].length
  }
  if (end < source.length) parts.push(source.slice(end))
  return parts.some((part) => typeof part === 'string' && /\{[{%]/.test(part)) ? null : parts
}

function plain(text: string): Path | null {
  const path = text.split('.')
  return reserved.has(path[0] ?? '') || path.slice(1).some((segment) => computed.has(segment)) ? null : path
}

/** What `walk` returns if Liquid must decide, because it computes members of lists and texts. */
export const undecided: unique symbol = Symbol('undecided')

/** Returns the value at a path, through own properties. Undefined if it is missing. */
export function walk(path: Path, context: Context): Json | undefined | typeof undecided {
  let value: Json | undefined = context as Json
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undecided
    if (!Object.hasOwn(value, segment)) return undefined
    value = (value as Readonly<Record<string, Json | undefined>>)[segment]
    if (value === undefined) return undefined
  }
  return value
}
