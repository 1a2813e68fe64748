import { Meter } from '../work.ts'
import { Machine } from './machine.ts'
import { compileProgram } from './program.ts'

/** A pattern with RE2 semantics: no text takes more than its length times the pattern's size. */
export interface Pattern {
  /** Instructions that it has. */
  readonly size: number
  /** Whether it occurs anywhere in the text. @throws WorkExceeded when the meter runs out */
  test(text: string, meter?: Meter): boolean
  /**
   * The first occurrence's group `value`, else its first group, else the whole match; null when there is none, or the group took no part.
   * @throws WorkExceeded when the meter runs out
   */
  find(text: string, meter?: Meter): string | null
}

/** Patterns that were compiled, the one that was asked for last at the end. What they cost nobody depends on their being here. */
const kept = new Map<string, Pattern>()
/** Instructions of all of them. */
const mostKept = 20_000
let keptNow = 0

/** @throws Error with RE2's message, or the limit that it is over, when the pattern cannot be used */
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
