import type { Meter } from '../work.ts'
import { op, type Program } from './program.ts'

/** The threads of the machine, by priority. No two are at the same instruction. */
interface Ways {
  readonly at: Uint16Array
  /** The index of an instruction in `at`. Meaningless if no thread is at the instruction. */
  readonly place: Uint16Array
  /** For each thread, the start and end of the group. -1: not reached yet. */
  readonly group: Int32Array
  size: number
}

function waysOf({ ops }: Program): Ways {
  return { at: new Uint16Array(ops.length), place: new Uint16Array(ops.length), group: new Int32Array(2 * ops.length), size: 0 }
}

/** Steps are charged in portions of about this many. */
const unpaid = 500

/**
 * RE2's virtual machine (Pike's algorithm). It follows all ways through a pattern at once, so the steps of a match are at most the length of
 * the text times the instructions of the pattern. RE2JS has faster machines, but their work depends on earlier matches and cannot be counted.
 * This one charges for each step.
 */
export class Machine {
  readonly #program: Program
  #now: Ways
  #next: Ways
  /** The stack of `#add`. An entry is an instruction to visit, or a boundary of the group to restore, as two numbers. */
  readonly #ahead: Int32Array
  readonly #begin = new Int32Array(2)
  #text = ''
  #steps = 0

  constructor(program: Program) {
    this.#program = program
    this.#now = waysOf(program)
    this.#next = waysOf(program)
    this.#ahead = new Int32Array(2 * program.ops.length + 2)
  }

  /** Whether the pattern occurs anywhere in the text. @throws WorkExceeded */
  test(text: string, meter: Meter): boolean {
    return this.#run(text, meter, false) !== null
  }

  /** The range of the group in the first match. Null if nothing matches, or the group is not part of the match. @throws WorkExceeded */
  find(text: string, meter: Meter): readonly [start: number, end: number] | null {
    const found = this.#run(text, meter, true)
    return found === null || found[0] < 0 || found[1] < 0 ? null : found
  }

  /** @param whole whether the range of the group is needed. Otherwise, it stops at any match */
  #run(text: string, meter: Meter, whole: boolean): readonly [number, number] | null {
    const { start, anchored, prefix, needs, group } = this.#program
    for (const need of needs) {
      meter.charge(2 + text.length / 2)
      if (!text.includes(need)) return null
    }
    this.#text = text
    this.#now.size = 0
    let found: readonly [number, number] | null = null
    for (let position = 0, character = 0; character >= 0; ) {
      if (this.#now.size === 0) {
        if (found !== null || (anchored && position > 0)) break
        if (prefix !== '' && !anchored) {
          const next = text.indexOf(prefix, position)
          meter.charge(2 + ((next < 0 ? text.length : next) - position) / 2)
          if (next < 0) break
          position = next
        }
      }
      if (found === null && (!anchored || position === 0)) {
        this.#begin[0] = group === 0 ? position : -1
        this.#begin[1] = -1
        this.#add(this.#now, start, position, this.#begin, 0)
      }
      character = text.codePointAt(position) ?? -1
      const after = position + (character > 0xffff ? 2 : 1)
      found = this.#step(character, position, after) ?? found
      if (found !== null && !whole) break
      if (this.#steps > unpaid) this.#pay(meter)
      position = after
      ;[this.#now, this.#next] = [this.#next, this.#now]
    }
    this.#pay(meter)
    return found
  }

  #pay(meter: Meter): void {
    const steps = this.#steps
    this.#steps = 0
    meter.charge(steps)
  }

  /** Moves every thread past a character (-1: the end of the text). @returns the range of the group if the pattern matches here, else null */
  #step(character: number, position: number, after: number): readonly [number, number] | null {
    const { ops, out, instructions, group } = this.#program
    const now = this.#now
    this.#next.size = 0
    this.#steps += now.size + 1
    for (let way = 0; way < now.size; way += 1) {
      const instruction = now.at[way] as number
      let takes = false
      switch (ops[instruction]) {
        case op.match:
          // The threads after it have less priority.
          return [now.group[2 * way] as number, group === 0 ? position : (now.group[2 * way + 1] as number)]
        case op.rune:
          takes = character >= 0 && (instructions[instruction]?.matchRune(character) ?? false)
          break
        case op.oneRune:
          takes = instructions[instruction]?.runes[0] === character
          break
        case op.any:
          takes = character >= 0
          break
        case op.anyButNewline:
          takes = character >= 0 && character !== 10
      }
      if (takes) this.#add(this.#next, out[instruction] as number, after, now.group, 2 * way)
    }
    return null
  }

  /** Adds a thread for each instruction that can be reached from `first` without a character. The group's boundaries are in `bounds`, from
   * index `at`. They are restored at the end. */
  #add(ways: Ways, first: number, position: number, bounds: Int32Array, at: number): void {
    const { ops, out, arg, group } = this.#program
    const ahead = this.#ahead
    ahead[0] = first
    for (let size = 1; size > 0; ) {
      size -= 1
      let instruction = ahead[size] as number
      if (instruction < 0) {
        size -= 1
        bounds[at - instruction - 1] = ahead[size] as number
        continue
      }
      for (let going = true; going; ) {
        const place = ways.place[instruction] as number
        if (place < ways.size && ways.at[place] === instruction) break
        const way = ways.size
        ways.size += 1
        ways.place[instruction] = way
        ways.at[way] = instruction
        this.#steps += 1
        const argument = arg[instruction] as number
        switch (ops[instruction]) {
          case op.alternative:
          case op.alternativeMatch:
            ahead[size] = argument
            size += 1
            break
          case op.empty:
            going = (argument & ~this.#around(position)) === 0
            break
          case op.capture:
            if (group > 0 && argument >> 1 === group) {
              const bound = argument & 1
              ahead[size] = bounds[at + bound] as number
              ahead[size + 1] = -bound - 1
              size += 2
              bounds[at + bound] = position
            }
            break
          case op.nothing:
            break
          default:
            ways.group[2 * way] = bounds[at] as number
            ways.group[2 * way + 1] = bounds[at + 1] as number
            going = false
        }
        instruction = out[instruction] as number
      }
    }
  }

  /** Which of RE2's empty-width conditions hold at a position, as a bit mask. */
  #around(position: number): number {
    const text = this.#text
    const before = position > 0 ? text.charCodeAt(position - 1) : -1
    const after = position < text.length ? text.charCodeAt(position) : -1
    const lines = (before < 0 || before === 10 ? 1 : 0) | (after < 0 || after === 10 ? 2 : 0)
    return lines | (before < 0 ? 4 : 0) | (after < 0 ? 8 : 0) | (isWord(before) === isWord(after) ? 32 : 16)
  }
}

function isWord(character: number): boolean {
  return (character >= 97 && character <= 122) || (character >= 65 && character <= 90) || (character >= 48 && character <= 57) || character === 95
}
