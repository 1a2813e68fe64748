import { Meter } from '../work.ts'
import { Machine } from './machine.ts'
import { compileProgram } from './program.ts'

/** A pattern with RE2 semantics. The work of a match is at most the length of the text times the size of the pattern. */
export interface Pattern {
  /** The number of its instructions. */
  readonly size: number
  /** Whether it matches anywhere in the text. @throws WorkExceeded */
  test(text: string, meter?: Meter): boolean
  /**
   * The text of the group `value` in the first match. Without a group of that name, the first group; without groups, the whole match. Null if
   * nothing matches, or the group is not part of the match.
   * @throws WorkExceeded
   */
  find(text: string, meter?: Meter): string | null
}

/** Compiled patterns. The one used last is at the end. Meters do not depend on this cache. */
const kept = new Map<string, Pattern>()
/** The most instructions of all cached patterns together. */
const mostKept = 20_000
let keptNow = 0

/** @throws Error with RE2's message, or with the limit that the pattern exceeds */
export function compilePattern(source: string): Pattern {
  const known = kept.get(source)
  const pattern = known ?? compile(source)
  if (known) kept.delete(source)
  else keptNow += pattern.size
  kept.set(source, pattern)
  for (const [oldest, { size }] of kept) {
    if (keptNow <= mostKept) break
    kept.delete(oldest)
    keptNow -= size
  }
  return pattern
}

function compile(source: string): Pattern {
  const program = compileProgram(source)
  let machine: Machine | null = null
  const made = (): Machine => {
    machine ??= new Machine(program)
    return machine
  }
  return {
    size: program.ops.length,
    test: (text, meter = new Meter()) => made().test(text, meter),
    find: (text, meter = new Meter()) => {
      const found = made().find(text, meter)
      return found === null ? null : text.slice(...found)
    },
  }
}
