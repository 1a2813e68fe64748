import type { Meter } from '../work.ts'
import { op, type Program } from './program.ts'

/** Ways through the pattern that are under way, in the order of their priority, each at another instruction. */
interface Ways {
  readonly at: Uint16Array
  /** Where an instruction stands in `at`, if it does. */
  readonly place: Uint16Array
  /** Of each way where the group begins and ends, as far as it has come; -1: not yet. */
  readonly group: Int32Array
  size: number
}

function waysOf({ ops }: Program): Ways {
  return { at: new Uint16Array(ops.length), place: new Uint16Array(ops.length), group: new Int32Array(2 * ops.length), size: 0 }
}

/** So many steps are made before they are paid for. */
const unpaid = 500

/**
 * RE2's machine (Pike's): it follows all ways through a pattern at once, so a match takes at most the text's length times the pattern's
 * instructions. RE2JS has faster ones, but what they take depends on earlier matches and cannot be counted. Here each step is paid for.
 */
export class Machine {
  readonly #program: Program
  #now: Ways
  #next: Ways
  /** What `#add` has still to look at: an instruction; or a boundary of the group to be put back, as two numbers. */
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

  /** Where the group stands in the first occurrence; null: there is no occurrence, or the group took no part in it. @throws WorkExceeded */
  find(text: string, meter: Meter): readonly [start: number, end: number] | null {
    const found = this.#run(text, meter, true)
    return found === null || found[0] < 0 || found[1] < 0 ? null : found
  }

  /** @param whole whether the group is asked for; else any occurrence is as good as the first */
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

  /** Moves every way past a character (-1: the end of the text). @returns the group of the match that was come to here, if one was */
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
          // The ways after it have less priority.
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

  /** Adds what can be come to from an instruction without taking a character. `bounds` from `at` on are the group's, and stay as they are. */
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

  /** What is around a place, as RE2's bits. */
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
