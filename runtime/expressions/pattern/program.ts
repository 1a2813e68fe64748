import { RE2JS } from 're2js'
import { sizeOf, unicodeClassesIn } from './size.ts'

/** What instructions do, by their number in RE2. */
export const op = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  empty: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  rune: 8,
  oneRune: 9,
  any: 10,
  anyButNewline: 11,
} as const

/** An instruction of RE2's machine. */
interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  readonly runes: ArrayLike<number>
  matchRune(character: number): boolean
}

/** What of RE2's compiled form is used here. */
interface Compiled {
  readonly prog: { readonly inst: readonly Instruction[]; readonly start: number }
  readonly cond: number
  readonly prefix: string
  readonly prefilter: Prefilter | null
}

interface Prefilter {
  readonly type: number
  readonly str: string
  readonly subs: readonly Prefilter[]
}

/** A compiled pattern: the instructions of RE2's machine, as arrays by their number. */
export interface Program {
  readonly start: number
  readonly ops: Uint8Array
  /** Where it goes on. */
  readonly out: Uint16Array
  /** Of an alternative the other way, of less priority; of `empty` what must hold around; of `capture` which boundary of which group. */
  readonly arg: Uint16Array
  readonly instructions: readonly Instruction[]
  /** Whether it can match at the beginning of the text alone. */
  readonly anchored: boolean
  /** Whether it looks at what is around a place. */
  readonly looksAround: boolean
  /** What every match begins with; empty: not known. */
  readonly prefix: string
  /** Texts that must all occur where it matches. */
  readonly needs: readonly string[]
  /** The group that `find` gives: `value`, else the first, else 0, which is the whole match. */
  readonly group: number
}

/** Characters of a pattern's source. */
const longestSource = 1_000
/** Instructions of a pattern; what is repeated counts each time. */
const mostInstructions = 1_000
/** Classes of Unicode in a pattern: each takes a millisecond to read where the case does not matter. */
const mostUnicodeClasses = 10

/** The bit of `cond` and of `empty` that stands for the beginning of the text. */
const beginText = 4

/**
 * Compiles a pattern with RE2's syntax.
 * @throws Error that says why it is no pattern, or which limit it is over
 */
export function compileProgram(source: string): Program {
  if (source.length > longestSource) throw new Error(`it has ${source.length} characters, and at most ${longestSource} are allowed`)
  const classes = unicodeClassesIn(source)
  if (classes > mostUnicodeClasses) throw new Error(`it has ${classes} classes of Unicode, and at most ${mostUnicodeClasses} are allowed`)
  const size = sizeOf(source)
  if (size > mostInstructions) throw new Error(`its repetitions make about ${size} instructions of it, and at most ${mostInstructions} are allowed`)
  const compiled = RE2JS.compile(source)
  const named = compiled.namedGroups()
  return programOf(compiled.re2() as unknown as Compiled, named['value'] ?? (compiled.groupCount() > 0 ? 1 : 0))
}

function programOf({ prog, cond, prefix, prefilter }: Compiled, group: number): Program {
  const instructions = prog.inst
  return {
    start: prog.start,
    ops: Uint8Array.from(instructions, (each) => each.op),
    out: Uint16Array.from(instructions, (each) => each.out),
    arg: Uint16Array.from(instructions, (each) => each.arg),
    instructions,
    anchored: (cond & beginText) !== 0,
    looksAround: instructions.some((each) => each.op === op.empty),
    prefix,
    needs: neededBy(prefilter),
    group,
  }
}

/** RE2's own names for the kinds of its prefilter. */
const exact = 1
const all = 2

function neededBy(prefilter: Prefilter | null): readonly string[] {
  if (prefilter?.type === exact) return [prefilter.str]
  return prefilter?.type === all ? prefilter.subs.flatMap((sub) => (sub.type === exact ? [sub.str] : [])) : []
}
