import { segmentSize } from '../bits.ts'
import { type BuiltSegment, encodeSegment } from '../build.ts'
import { encodePage, type Posting } from '../page.ts'
import { type Key, propertyTerm } from '../segment.ts'
import { GramLists } from './gram-lists.ts'
import { wordsOf } from './grams.ts'

/** A word that so many cases of a segment have is frequent. */
const frequentFrom = 16
/** How many frequent words a page has. */
export const frequentInPage = 16
/** A case whose different words have more characters together is in no list: each search looks at it. */
const mostOfCase = 16_384
/** How many characters the different words of a segment have at most, so that building it takes little memory. One case may have more. */
const mostOfSegment = 1_048_576
/** How many positions of grams are added between two pauses. */
const addedAtOnce = 16_384

/** A segment of the index of what cases say. */
export interface BuiltCases extends BuiltSegment {
  /** The positions of cases that each search looks at. */
  readonly always: readonly number[]
  /** The frequent words, most frequent first, with line ends between them. */
  readonly frequent: Uint8Array
  /** The cases that have them. */
  readonly frequentPages: readonly Uint8Array[]
}

/** Collects the words of a segment's cases, which it must get in the order of their keys. */
export class CaseBuilder {
  readonly #keys: Key[] = []
  readonly #words = new Map<string, number[]>()
  readonly #organizations = new Map<string, number[]>()
  readonly #always: number[] = []
  #characters = 0

  get size(): number {
    return this.#keys.length
  }

  get isFull(): boolean {
    return this.#keys.length >= segmentSize || this.#characters >= mostOfSegment
  }

  add(key: Key, organization: string, texts: readonly string[]): void {
    const position = this.#keys.length
    this.#keys.push(key)
    this.#note(this.#organizations, organization, position)
    const words = new Set(texts.flatMap(wordsOf))
    let characters = 0
    for (const word of words) characters += word.length
    // A segment that is built again has all its cases, even if they say more than before.
    if (characters > mostOfCase || this.#characters >= 2 * mostOfSegment) this.#always.push(position)
    else for (const word of words) this.#note(this.#words, word, position)
  }

  #note(lists: Map<string, number[]>, term: string, position: number): void {
    const list = lists.get(term)
    if (list) list.push(position)
    else {
      lists.set(term, [position])
      this.#characters += term.length
    }
  }

  /** Encodes the segment. Yields every few milliseconds, so that the caller can do other work. */
  *build(): Generator<void, BuiltCases> {
    const frequent: Posting[] = []
    const lists = new GramLists()
    let added = 0
    for (const [term, positions] of this.#words) {
      if (positions.length >= frequentFrom) frequent.push({ term, positions })
      else lists.add(term, positions)
      added += term.length * Math.min(positions.length, frequentFrom)
      if (added < addedAtOnce) continue
      added = 0
      yield
    }
    const grams = yield* lists.lists()
    for (const [id, positions] of this.#organizations) grams.set(propertyTerm('organization', id), positions)
    frequent.sort((a, b) => b.positions.length - a.positions.length)
    const frequentPages: Uint8Array[] = []
    for (let from = 0; from < frequent.length; from += frequentInPage)
      frequentPages.push(encodePage(frequent.slice(from, from + frequentInPage).map(({ positions }) => ({ term: '', positions }))))
    yield
    const built = yield* encodeSegment(this.#keys, grams)
    return { ...built, always: this.#always, frequent: Buffer.from(frequent.map(({ term }) => term).join('\n')), frequentPages }
  }
}
