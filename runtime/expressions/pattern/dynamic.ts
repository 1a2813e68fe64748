import type { Meter } from '../work.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { sizeOf, unicodeClassesIn } from './size.ts'

/** The patterns of one evaluation: each is paid for once. */
const compiled = new WeakMap<Meter, Map<string, Pattern>>()

/**
 * A pattern that is known only when it is needed. Compiling it is paid for.
 * @throws Error when it is none; WorkExceeded
 */
export function patternIn(meter: Meter, source: string): Pattern {
  const known = compiled.get(meter) ?? new Map<string, Pattern>()
  const standing = known.get(source)
  if (standing !== undefined) return standing
  meter.charge(5_000 + 400 * sizeOf(source) + 50_000 * unicodeClassesIn(source))
  const pattern = compilePattern(source)
  compiled.set(meter, known.set(source, pattern))
  return pattern
}
