import type { Millis } from '../../../runtime/domain/index.ts'
import { brief } from './brief.ts'

interface Line {
  readonly at: Millis
  readonly who: string
  readonly what: string
  readonly detail: unknown
}

const mostDetail = 240

/**
 * What happened, in order. Keeps the last lines for people, and a hash of everything, so that two simulations
 * can be compared.
 */
export class Trace {
  readonly #begin: Millis
  readonly #kept: number
  #lines: Line[] = []
  #hash = 0x811c9dc5
  #count = 0

  /** @param kept the least number of lines that are kept */
  constructor(begin: Millis, kept: number) {
    this.#begin = begin
    this.#kept = kept
  }

  get hash(): string {
    return `${(this.#hash >>> 0).toString(16).padStart(8, '0')}-${this.#count}`
  }

  /** @param detail is shown, but is not part of the hash */
  add(at: Millis, who: string, what: string, detail: unknown = null): void {
    this.#count += 1
    this.#mix(`${at} ${who} ${what}`)
    this.#lines.push({ at, who, what, detail })
    if (this.#lines.length > 2 * this.#kept) this.#lines = this.#lines.slice(-this.#kept)
  }

  /** Returns the last lines, each with the seconds since the beginning. */
  last(count: number): string {
    return this.#lines
      .slice(-count)
      .map(({ at, who, what, detail }) => `${((at - this.#begin) / 1_000).toFixed(3).padStart(11)}  ${who.padEnd(10)} ${what}${shown(detail)}`)
      .join('\n')
  }

  #mix(text: string): void {
    let hash = this.#hash
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    this.#hash = hash
  }
}

function shown(detail: unknown): string {
  const text = brief(detail)
  return text === '' ? '' : `  ${text.length > mostDetail ? `${text.slice(0, mostDetail)}…` : text}`
}
