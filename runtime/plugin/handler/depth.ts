import type { Json } from '../../domain/index.ts'

/** Deeper than this nothing is that systems exchange; what handles values by recursion would come to its end. */
export const mostLevels = 200

/** Whether lists and objects lie within each other more than so many times. */
export function deeperThan(value: Json, levels: number): boolean {
  let level: Json[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    const inner: Json[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      for (const child of Object.values(one)) if (typeof child === 'object' && child !== null) inner.push(child)
    }
    level = inner
  }
  return false
}
