import type { Json } from '../../domain/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'

/**
 * Reports comparisons in a condition over an answer that can never be true: header names with
 * capitals, and words that `lower` or `upper` never returns.
 */
export function checkWords(rule: Json, path: readonly (string | number)[], places: FaultPlaces): void {
  if (typeof rule !== 'object' || rule === null) return
  if (Array.isArray(rule)) {
    for (const [at, part] of (rule as readonly Json[]).entries()) checkWords(part, [...path, at], places)
    return
  }
  for (const [operator, given] of Object.entries(rule)) {
    const parts = Array.isArray(given) ? (given as readonly Json[]) : [given]
    if (operator === 'var') checkHeader(parts[0], [...path, operator], places)
    if (['==', '!=', 'in', 'starts_with', 'ends_with'].includes(operator)) checkCase(operator, parts, [...path, operator], places)
    checkWords(given, [...path, operator], places)
  }
}

function checkHeader(read: Json | undefined, path: readonly (string | number)[], places: FaultPlaces): void {
  if (typeof read !== 'string') return
  const name = /^headers\.(.+)$/.exec(read)?.[1]
  if (name !== undefined && name !== name.toLowerCase()) places.add(path, `header names must be in lower case: \`headers.${name.toLowerCase()}\``)
}

/** Finds mistakes such as `{'==': [{lower: {var: code}}, NOT_FOUND]}`, which is never true. */
function checkCase(operator: string, parts: readonly Json[], path: readonly (string | number)[], places: FaultPlaces): void {
  for (const [fold, other] of [
    ['lower', 'lower case'],
    ['upper', 'upper case'],
  ] as const) {
    if (!parts.some((part) => typeof part === 'object' && part !== null && !Array.isArray(part) && Object.hasOwn(part, fold))) continue
    for (const [at, part] of parts.entries()) {
      const words = typeof part === 'string' ? [part] : Array.isArray(part) ? (part as readonly Json[]).filter((one) => typeof one === 'string') : []
      for (const word of words) {
        const folded = fold === 'lower' ? String(word).toLowerCase() : String(word).toUpperCase()
        if (folded !== word)
          places.add([...path, at], `\`${operator}\` never finds "${word}", because \`${fold}\` returns ${other}; write "${folded}"`)
      }
    }
  }
}
