import type { Page } from '../port.ts'

/** A page of what was found when one more than `limit` was asked for. */
export function pageOf<T>(found: readonly T[], limit: number): Page<T> {
  return { items: found.slice(0, limit), more: found.length > limit }
}
