import { Drop } from 'liquidjs'
import type { Json } from '../domain/index.ts'

/** What a filter made, as JSON: nothing inside a list or object becomes null, and what JSON cannot hold is refused. */
export function asJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('the result is not a number')
    return value
  }
  // `nil`, `empty` and `blank` written as values.
  if (value instanceof Drop) return null
  if (Array.isArray(value)) return value.map((item) => asJson(item) ?? null)
  if (typeof value !== 'object') throw new Error('the result is not a JSON value')
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item) ?? null]))
}
