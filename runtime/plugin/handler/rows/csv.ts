/** A text is not CSV. The message says why. */
export class NoCsv extends Error {}

/** The most characters of a row. */
export const longestRow = 4 * 1024 * 1024

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d]
/** What JSON must escape in a string, and a little more. */
const special = /["\\\p{Cc}]/u
/** The most values of a row that is read at one look. */
const mostAtOnce = 1_000

/**
 * Reads CSV (RFC 4180) in parts, and makes the JSON of each row: a list of its values. Takes linear time.
 *
 * - LF and CRLF end a line. CR alone does too if it ends the first line. Empty lines are skipped.
 * - It refuses what could be read in two ways: a quote within a value without quotes, text after a closing quote, a row with more or fewer
 *   values than the first line, two columns with the same name.
 */
export class CsvReader {
  readonly #keep: (row: string) => void
  /** The text from the beginning of the row that has not ended, and the place in it. */
  #text = ''
  #at = 0
  /** How long the text must be before it is read again. So the time for a long row in short parts is linear. */
  #enough = 0
  /** Whether no more text follows. */
  #complete = false
  /** Whether the last value was also the last of its row. */
  #rowEnded = false
  #names: readonly string[] | null = null
  /** Finds a row at one look, if all its values have quotes, or none has. Only rows in which JSON escapes nothing. */
  #plain: { readonly quoted: RegExp; readonly bare: RegExp } | null = null
  /** Whether CR alone ends a line. */
  #carriageReturns = true
  /** The number of the row that is read now. Empty lines do not count. */
  #row = 1

  /** @param keep gets the JSON of each row after the first line */
  constructor(keep: (row: string) => void) {
    this.#keep = keep
  }

  /** The names of the first line. Null before its end. */
  get names(): readonly string[] | null {
    return this.#names
  }

  /**
   * Reads the next part of the text.
   * @param part null: the end of the text
   * @throws NoCsv
   */
  read(part: string | null): void {
    this.#complete = part === null
    this.#text += part ?? ''
    if (!this.#complete && this.#text.length < this.#enough) return
    let from = 0
    for (this.#at = 0; this.#at < this.#text.length && this.#readRow(); ) from = this.#at
    this.#text = this.#text.slice(from)
    this.#assertShort(this.#text.length)
    this.#enough = Math.min(2 * this.#text.length, longestRow + 1)
  }

  /** Reads a row or an empty line. Returns false if its end is still to come. */
  #readRow(): boolean {
    const from = this.#at
    const empty = this.#lineEnd(from)
    if (empty === null) return false
    this.#at += empty
    if (empty > 0) return true
    if (this.#names === null) return this.#readNames()
    return this.#readPlain() || this.#readValues(this.#names.length)
  }

  /** Reads a row at one look. Returns false if it has to be read value by value. */
  #readPlain(): boolean {
    if (this.#plain === null) return false
    const [text, from] = [this.#text, this.#at]
    const quoted = text.charCodeAt(from) === quote
    const form = quoted ? this.#plain.quoted : this.#plain.bare
    form.lastIndex = from
    if (!form.test(text)) return false
    const end = form.lastIndex
    const to = text.charCodeAt(end - 2) === carriageReturn ? end - 2 : end - 1
    this.#assertShort(end - from)
    this.#at = end
    this.#row += 1
    const values = text.slice(from, to)
    this.#keep(quoted ? `[${values}]` : `["${values.replaceAll(',', '","')}"]`)
    return true
  }

  #readNames(): boolean {
    const from = this.#at
    const names: string[] = []
    do {
      const name = this.#value()
      if (name === null) return false
      names.push(name)
    } while (!this.#rowEnded)
    const known = new Set<string>()
    for (const name of names) {
      if (known.has(name)) throw new NoCsv(`two columns have the name ${JSON.stringify(name.slice(0, 100))}`)
      known.add(name)
    }
    this.#assertShort(this.#at - from)
    this.#names = names
    this.#carriageReturns = this.#text[this.#at - 1] === '\r'
    // A line that ends with CR alone is read value by value.
    if (names.length <= mostAtOnce && !this.#carriageReturns) this.#plain = plainForms(names.length)
    this.#row += 1
    return true
  }

  /** @param most how many values the row must have */
  #readValues(most: number): boolean {
    const from = this.#at
    let json = '['
    let count = 0
    do {
      const value = this.#value()
      if (value === null) return false
      if (count < most) json += (count === 0 ? '' : ',') + (special.test(value) ? JSON.stringify(value) : `"${value}"`)
      count += 1
    } while (!this.#rowEnded)
    this.#assertShort(this.#at - from)
    if (count !== most) throw this.#fault(`its number of values is ${count}, and the first row has ${most}`)
    this.#row += 1
    this.#keep(`${json}]`)
    return true
  }

  /** Reads a value and the comma or the end of the line after it. Returns null if its end is still to come. */
  #value(): string | null {
    if (this.#text.charCodeAt(this.#at) === quote) return this.#quoted()
    const text = this.#text
    const from = this.#at
    for (let at = from; at < text.length; at += 1) {
      const character = text.charCodeAt(at)
      if (character === comma) return this.#ended(from, at, 1, false)
      if (character === quote) throw this.#fault('a value without quotes has a quote in it')
      if (character !== lineFeed && character !== carriageReturn) continue
      const end = this.#lineEnd(at)
      if (end === null) return null
      if (end > 0) return this.#ended(from, at, end, true)
    }
    return this.#complete ? this.#ended(from, text.length, 0, true) : null
  }

  #quoted(): string | null {
    const text = this.#text
    const from = this.#at + 1
    let doubled = false
    let to = text.indexOf('"', from)
    for (; to >= 0 && text.charCodeAt(to + 1) === quote; to = text.indexOf('"', to + 2)) doubled = true
    if (to < 0) {
      if (this.#complete) throw this.#fault('a quoted value does not end')
      return null
    }
    const next = to + 1
    const end = text.charCodeAt(next) === comma ? 1 : this.#lineEnd(next)
    if (end === null || (next === text.length && !this.#complete)) return null
    if (end === 0 && next < text.length) throw this.#fault('a quoted value is followed by something other than a comma')
    const value = this.#ended(from, to, end + 1, text.charCodeAt(next) !== comma)
    return doubled ? value.replaceAll('""', '"') : value
  }

  /** @param end how many characters end the value */
  #ended(from: number, to: number, end: number, rowEnded: boolean): string {
    this.#at = to + end
    this.#rowEnded = rowEnded
    return this.#text.slice(from, to)
  }

  /** Returns how many characters end a line here: 0 if none does. Null if the next part will show it. */
  #lineEnd(at: number): number | null {
    const character = this.#text.charCodeAt(at)
    if (character === lineFeed) return 1
    if (character !== carriageReturn) return 0
    if (at + 1 === this.#text.length && !this.#complete) return null
    if (this.#text.charCodeAt(at + 1) === lineFeed) return 2
    return this.#carriageReturns ? 1 : 0
  }

  #assertShort(length: number): void {
    if (length > longestRow) throw this.#fault(`it has more than ${longestRow} characters`)
  }

  #fault(why: string): NoCsv {
    return new NoCsv(`row ${this.#row}: ${why}`)
  }
}

/** @param count how many values a row has */
function plainForms(count: number): { readonly quoted: RegExp; readonly bare: RegExp } {
  const none = '\\\\\\x00-\\x1f\\x7f-\\x9f'
  const row = (value: string): RegExp => new RegExp(`${value}(?:,${value}){${count - 1}}\\r?\\n`, 'y')
  return { quoted: row(`"[^"${none}]*"`), bare: row(`[^",${none}]*`) }
}
