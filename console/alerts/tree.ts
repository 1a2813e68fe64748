import { seen } from '../shared/seen/seen.ts'

/** A tree shows at most this many characters of a text, and this many entries of a list or object. The raw view shows everything. */
const mostCharacters = 2_000
const mostMembers = 1_000
/** Deeper content is shown as text: nobody unfolds so many levels. */
const mostLevels = 64
const mostValues = 20_000

class TooMuch extends Error {}

/**
 * Returns the content as a tree that can be shown: invisible characters are visible, and long texts and lists are cut.
 * Null if it is not a JSON object or list, or is too deep or too large for a tree.
 */
export function treeOf(content: string): object | null {
  if (!/^\s*[[{]/.test(content.slice(0, 1_000))) return null
  try {
    const json: unknown = JSON.parse(content)
    let values = 0
    const shown = (value: unknown, level: number): unknown => {
      values += 1
      if (level > mostLevels || values > mostValues) throw new TooMuch()
      if (typeof value === 'string') return textOf(value)
      if (Array.isArray(value)) {
        const rest = value.length - mostMembers
        const items = value.slice(0, mostMembers).map((one) => shown(one, level + 1))
        return rest > 0 ? [...items, `… and ${rest} more`] : items
      }
      if (typeof value !== 'object' || value === null) return value
      const members = Object.entries(value)
      const rest = members.length - mostMembers
      const cut = members.slice(0, mostMembers).map(([key, one]) => [textOf(key), shown(one, level + 1)] as const)
      return Object.fromEntries(rest > 0 ? [...cut, ['…', `and ${rest} more`]] : cut)
    }
    const tree = shown(json, 0)
    return typeof tree === 'object' && tree !== null ? tree : null
  } catch (error) {
    // JSON.parse throws RangeError if its own stack ends.
    if (error instanceof SyntaxError || error instanceof TooMuch || error instanceof RangeError) return null
    throw error
  }
}

function textOf(text: string): string {
  return seen(text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length.toLocaleString('en')} characters)` : text)
}
