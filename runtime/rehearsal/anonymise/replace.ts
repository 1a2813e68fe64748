import type { Json } from '../../domain/index.ts'

/**
 * Returns a function that replaces whole words by their substitutes, longer ones first. It ignores
 * case, and keeps capitals: an original in capitals gets a substitute in capitals, and a capital
 * first letter stays one.
 */
export function replacer(substitutes: ReadonlyMap<string, string>): (value: Json) => Json {
  const originals = [...substitutes.keys()].toSorted((a, b) => b.length - a.length)
  if (originals.length === 0) return (value) => value
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${originals.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  const inText = (text: string): string => text.replaceAll(pattern, (found) => cased(found, substitutes.get(found.toLowerCase()) ?? found))
  const replace = (value: Json): Json => {
    if (typeof value === 'string') return inText(value)
    if (typeof value === 'number') {
      const other = substitutes.get(String(value))
      return other === undefined ? value : Number(other)
    }
    if (Array.isArray(value)) return (value as readonly Json[]).map(replace)
    if (typeof value !== 'object' || value === null) return value
    // Keys may be names of people too.
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [inText(key), replace(member)]))
  }
  return replace
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function cased(original: string, substitute: string): string {
  if (original === original.toLowerCase()) return substitute
  if (original === original.toUpperCase()) return substitute.toUpperCase()
  return `${substitute.slice(0, 1).toUpperCase()}${substitute.slice(1)}`
}
