import type { Meter } from '../work.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { sizeOf, unicodeClassesIn } from './size.ts'

/** The patterns that each evaluation has compiled. A second use in the same evaluation costs nothing. */
const compiled = new WeakMap<Meter, Map<string, Pattern>>()

/**
 * Compiles a pattern that is not a constant, and charges for it.
 * @throws Error if it is not a valid pattern; WorkExceeded
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
