/** A point in time in milliseconds, not within a longer word such as a digest: 2001 to 2033. */
const time = String.raw`(?<![\w-])1\d{12}(?![\w-])`

function escaped(name: string): string {
  // A number at the end of a name must not match the beginning of a longer one.
  return name.replaceAll(/[^\w-]/g, String.raw`\$&`) + (/\d$/.test(name) ? String.raw`(?!\d)` : '')
}

/** A text in which other names and times can be put. Cut once, it makes copies fast. */
export class Template {
  /** In turn: what stays, and the index of a name or a time. */
  readonly #parts: readonly { readonly before: string; readonly name: number | null; readonly at: number }[]
  readonly #rest: string

  /** @param names what each copy replaces. Of two that begin at the same place, the longer one counts */
  constructor(text: string, names: readonly string[]) {
    const alternatives = names.toSorted((a, b) => b.length - a.length).map(escaped)
    const pattern = new RegExp([...alternatives, time].join('|'), 'g')
    const parts = []
    let end = 0
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const name = names.indexOf(found)
      parts.push({ before: text.slice(end, index), name: name < 0 ? null : name, at: name < 0 ? Number(found) : 0 })
      end = index + found.length
    }
    this.#parts = parts
    this.#rest = text.slice(end)
  }

  /**
   * Returns a copy.
   * @param names instead of those of the template, in the same order
   * @param later how much later its times are. Milliseconds; may be negative
   */
  copy(names: readonly string[], later: number): string {
    let text = ''
    for (const { before, name, at } of this.#parts) text += before + (name === null ? String(at + later) : names[name])
    return text + this.#rest
  }
}
