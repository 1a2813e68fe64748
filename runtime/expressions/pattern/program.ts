import { RE2JS } from 're2js'
import { sizeOf, unicodeClassesIn } from './size.ts'

/** The operations of instructions, with their numbers in RE2. */
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

/** The parts of RE2's compiled form that are used here. */
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

/** A compiled pattern: the instructions of RE2's machine. The index in each array is the number of the instruction. */
export interface Program {
  readonly start: number
  readonly ops: Uint8Array
  /** The next instruction. */
  readonly out: Uint16Array
  /** For an alternative: the other next instruction, with less priority. For `empty`: the conditions that must hold. For `capture`: the group and boundary. */
  readonly arg: Uint16Array
  readonly instructions: readonly Instruction[]
  /** Whether it can only match at the start of the text. */
  readonly anchored: boolean
  /** Whether it has conditions such as `^` and `\b`, which look at the characters around a position. */
  readonly looksAround: boolean
  /** The text that every match starts with. Empty if it is not known. */
  readonly prefix: string
  /** Texts that every matching text contains. */
  readonly needs: readonly string[]
  /** The number of the group that `find` returns: `value`, else the first one, else 0, the whole match. */
  readonly group: number
}

/** The most characters of a pattern's source. */
const longestSource = 1_000
/** The most instructions of a pattern. A repeated part counts each time. */
const mostInstructions = 1_000
/** The most Unicode classes of a pattern. Each takes a millisecond to compile if the pattern ignores case. */
const mostUnicodeClasses = 10

/** The bit of `cond` and of `empty` for the start of the text. */
const beginText = 4

/**
 * Compiles a pattern with RE2's syntax.
 * @throws Error with RE2's message, or with the limit that the pattern exceeds
 */
export function compileProgram(source: string): Program {
  if (source.length > longestSource) throw new Error(`it has ${source.length} characters, and at most ${longestSource} are allowed`)
  const classes = unicodeClassesIn(source)
  if (classes > mostUnicodeClasses) throw new Error(`it has ${classes} Unicode classes, and at most ${mostUnicodeClasses} are allowed`)
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

/** The kinds of RE2's prefilter, with RE2's names. */
const exact = 1
const all = 2

function neededBy(prefilter: Prefilter | null): readonly string[] {
  if (prefilter?.type === exact) return [prefilter.str]
  return prefilter?.type === all ? prefilter.subs.flatMap((sub) => (sub.type === exact ? [sub.str] : [])) : []
}
