import type { Json } from '../domain/index.ts'
import type { Turns } from '../fairness/index.ts'
import { faultOffset } from './fault.ts'
import { type JsonLimits, JsonRefused } from './limits.ts'
import { isName, Scan, skipSpace } from './scan.ts'
import { decodeString } from './strings.ts'
import { type JsonPath, repeatedIn, structureOf } from './structure.ts'

/** How many characters are parsed at once. This takes a few milliseconds at worst. */
const usualSize = 32_768

/** The longest number, in characters. A number cannot be read in pieces, and all its digits are kept. */
const longestNumber = 1_048_576

/** How a JSON text is read. */
export interface Reading {
  readonly limits: JsonLimits
  /** Shares the event loop with others while a long text is read. */
  readonly turns: Turns
  readonly key: string
  /**
   * Parses a piece, which is a JSON text of its own.
   * @throws SyntaxError, JsonRefused
   */
  readonly piece: (text: string) => Json
  /** Converts a string that is longer than a piece. Absent: it stays as it is. */
  readonly text?: (text: string) => string | Promise<string>
  /** Whether a repeated field in an object is refused. Otherwise its last value wins. */
  readonly unique?: boolean
  /** Called with the path of the first repeated field. For readings without `unique`. */
  readonly repeated?: (path: JsonPath) => void
  /** Characters of a piece. Absent: 32,768. */
  readonly size?: number
}

/** A list or object that is longer than a piece. Its items are added as they are read. */
interface Container {
  /** The whole text is treated as a list with one item. */
  readonly value: Json[] | Record<string, Json>
  readonly object: boolean
  /** Its field name or index in the enclosing container. */
  readonly key: string | number
  names: number
  /** Start of the part that was not read yet. */
  start: number
  /** Whether an item ended at `start`, so that a comma or the closing bracket must follow. */
  done: boolean
}

/**
 * Reads one JSON value. A short text is read at once. A long one is read in pieces, each by the engine's
 * parser, with turns of the event loop in between. So nobody else has to wait, however long the text is.
 * @throws JsonRefused
 */
export function readJson(text: string, reading: Reading): Json | Promise<Json> {
  if (text.length > (reading.size ?? usualSize)) return new PieceReader(text, reading).read()
  const scan = scanned(text, reading.limits)
  const value = parsePiece(text, reading.piece, 0, 0)
  const repeated = reading.repeated === undefined ? null : repeatedIn(text, value, scan)
  if (repeated !== null) reading.repeated?.(repeated)
  return value
}

/**
 * Reads one JSON value at once. For texts that are short or were already read in turns.
 * @throws JsonRefused
 */
export function parseWithin(text: string, limits: JsonLimits, piece: Reading['piece']): Json {
  scanned(text, limits)
  return parsePiece(text, piece, 0, 0)
}

function scanned(text: string, limits: JsonLimits): Scan {
  const scan = new Scan(text, limits)
  scan.advance(text.length, 0, text.length)
  return scan
}

/**
 * Parses a piece.
 * @param at position of the piece in the whole text
 * @param added characters before the piece that are not in the text
 */
function parsePiece(text: string, piece: Reading['piece'], at: number, added: number): Json {
  try {
    return piece(text)
  } catch (error) {
    if (error instanceof JsonRefused) throw new JsonRefused(error.fault, error.message, error.at === null ? null : at + error.at - added)
    if (!(error instanceof SyntaxError)) throw error
    const offset = faultOffset(text, error)
    throw new JsonRefused('syntax', 'is not JSON', offset === null ? null : at + Math.max(offset - added, 0))
  }
}

class PieceReader {
  readonly #reading: Reading
  readonly #scan: Scan
  readonly #size: number
  /** Null: there is no callback, or it was already called. */
  #repeated: Reading['repeated'] | null
  readonly #stack: Container[] = [{ value: [], object: false, key: 0, names: 0, start: 0, done: false }]

  constructor(text: string, reading: Reading) {
    this.#reading = reading
    this.#size = reading.size ?? usualSize
    this.#repeated = reading.repeated ?? null
    this.#scan = new Scan(text, reading.limits)
  }

  get #top(): Container {
    return this.#stack[this.#stack.length - 1] as Container
  }

  async read(): Promise<Json> {
    const { turns, key } = this.#reading
    const scan = this.#scan
    for (;;) {
      const stop = scan.advance(scan.position + this.#size, this.#stack.length - 1, 2 * this.#size)
      if (stop === 'closing') this.#close()
      else if (stop === 'end') return this.#whole()
      else {
        this.#flush()
        if (stop === 'long') await this.#takeLong()
      }
      const turn = turns.next(key)
      if (turn) await turn
    }
  }

  /** Reads all complete items, starting with the outermost open list or object, until the rest is short. */
  #flush(): void {
    const scan = this.#scan
    for (;;) {
      const level = this.#stack.length - 1
      const top = this.#top
      const comma = scan.commas[level] ?? -1
      if (comma >= top.start) {
        this.#take(top, comma)
        top.start = comma + 1
        top.done = false
      }
      top.start = skipSpace(scan.text, top.start, scan.position)
      if (scan.position - top.start < this.#size) return
      if (scan.depth === level) {
        this.#boundNumber(top)
        return
      }
      this.#enter(top, level + 1)
    }
  }

  /** @throws JsonRefused if the current item is a number that is too long */
  #boundNumber(top: Container): void {
    const { text, position } = this.#scan
    if (position - top.start <= longestNumber) return
    if (/^[-+.\deE]+$/.test(text.slice(position - this.#size, position)))
      throw new JsonRefused('values', `has a number of more than ${longestNumber.toLocaleString('en')} characters`, top.start)
  }

  /** Starts reading the items of a long list or object one by one. */
  #enter(parent: Container, level: number): void {
    const open = this.#scan.opens[level] ?? 0
    const object = this.#scan.isObject(level)
    const value: Json[] | Record<string, Json> = object ? {} : []
    const name = this.#nameBefore(parent, open)
    const key = parent.object ? name : (parent.value as Json[]).length
    this.#add(parent, name, value)
    this.#stack.push({ value, object, key, names: 0, start: open + 1, done: false })
  }

  #close(): void {
    const top = this.#top
    const at = this.#scan.position
    const empty = top.object ? top.names === 0 : (top.value as Json[]).length === 0
    if (skipSpace(this.#scan.text, top.start, at) < at) this.#take(top, at)
    else if (!top.done && !empty) throw this.#refused(at)
    this.#stack.pop()
    this.#scan.close()
    this.#top.start = this.#scan.position
    this.#top.done = true
  }

  /** Adds the items between the start and the comma or bracket at `end`. */
  #take(top: Container, end: number): void {
    const { text } = this.#scan
    let from = top.start
    if (top.done) {
      const next = skipSpace(text, from, end)
      if (next === end) return
      if (text[next] !== ',') throw this.#refused(next)
      from = next + 1
    }
    const piece = text.slice(from, end)
    const whole = top.object ? `{${piece}}` : `[${piece}]`
    const value = parsePiece(whole, this.#reading.piece, from, 1)
    this.#look(whole, value, top)
    if (!top.object) {
      const items = value as readonly Json[]
      if (items.length === 0) throw this.#refused(end)
      const list = top.value as Json[]
      for (const item of items) list.push(item)
      return
    }
    let any = false
    for (const [name, item] of Object.entries(value as Record<string, Json>)) {
      this.#add(top, name, item)
      any = true
    }
    if (!any) throw this.#refused(end)
  }

  #add(top: Container, name: string, item: Json): void {
    if (!top.object) {
      ;(top.value as Json[]).push(item)
      return
    }
    const object = top.value as Record<string, Json>
    if ((this.#reading.unique || this.#repeated) && Object.hasOwn(object, name)) {
      if (this.#reading.unique) throw new JsonRefused('repeated', `has the field ${name} twice`, null)
      this.#hear([name])
    }
    top.names += 1
    // In an object literal, this name would set the prototype.
    if (name === '__proto__') Object.defineProperty(object, name, { value: item, enumerable: true, configurable: true, writable: true })
    else object[name] = item
  }

  /**
   * Looks for a repeated field in this piece.
   * @param top the container of the piece's items; null: the piece is the rest of the text
   */
  #look(piece: string, value: Json, top: Container | null): void {
    if (!this.#repeated) return
    const found = repeatedIn(piece, value, structureOf(piece))
    if (found === null) return
    const [first, ...rest] = found
    // The index is relative to the piece. Add the items of the list that were read before.
    this.#hear(typeof first === 'number' && top ? [first + (top.value as Json[]).length, ...rest] : found)
  }

  /** @param path relative to the innermost open list or object */
  #hear(path: JsonPath): void {
    // The first two levels of the stack are the text itself and its only value. They have no part in the path.
    this.#repeated?.([...this.#stack.slice(2).map(({ key }) => key), ...path])
    this.#repeated = null
  }

  /** Returns the field name before a value. Empty for an item of a list. */
  #nameBefore(top: Container, value: number): string {
    const { text } = this.#scan
    if (top.done) throw this.#refused(top.start)
    if (!top.object) {
      const next = skipSpace(text, top.start, value)
      if (next < value) throw this.#refused(next)
      return ''
    }
    const before = text.slice(top.start, value)
    const colon = before.lastIndexOf(':')
    if (colon < 0 || skipSpace(before, colon + 1, before.length) < before.length) throw this.#refused(top.start)
    const name = parsePiece(before.slice(0, colon), this.#reading.piece, top.start, 0)
    if (typeof name !== 'string') throw this.#refused(top.start)
    return name
  }

  /**
   * Adds the long string at which the scan has stopped. Everything around it is longer than a piece, so it
   * has been entered already.
   */
  async #takeLong(): Promise<void> {
    const { text, long } = this.#scan
    if (!long) return
    const { turns, key } = this.#reading
    const top = this.#top
    if (isName(text, long.to)) throw new JsonRefused('names', `has a field whose name is longer than ${2 * this.#size} characters`, long.from)
    const name = this.#nameBefore(top, long.from)
    let value: string
    try {
      value = await decodeString(text, long.from, long.to, turns, key)
    } catch {
      throw this.#refused(long.from)
    }
    this.#add(top, name, (await this.#reading.text?.(value)) ?? value)
    top.start = long.to
    top.done = true
  }

  #whole(): Json {
    const { text, depth } = this.#scan
    const top = this.#top
    if (depth > 0) throw this.#refused(text.length)
    if (!top.done) {
      const rest = text.slice(top.start)
      const value = parsePiece(rest, this.#reading.piece, top.start, 0)
      this.#look(rest, value, null)
      return value
    }
    const next = skipSpace(text, top.start, text.length)
    if (next < text.length) throw this.#refused(next)
    return (top.value as Json[])[0] as Json
  }

  #refused(at: number): JsonRefused {
    return new JsonRefused('syntax', 'is not JSON', at)
  }
}
