import { TtlCache } from '../../caches/index.ts'
import type { Clock, Digest } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { PlaybookChecks, Work } from './port.ts'
import type { Outline } from './tasks.ts'

/** A text with its digest. It is read only when needed. */
export interface KnownText {
  readonly digest: Digest
  /** Null: the store no longer has it. */
  text(): Promise<string | null>
}

/** The most texts, and the most characters, of one task. */
const [together, charactersTogether] = [20, 1_000_000]

/** Reads the outlines of texts. A text never changes, so each is read only once. */
export class Outlines {
  readonly #checks: PlaybookChecks
  readonly #known: TtlCache<Outline | null>

  constructor(checks: PlaybookChecks, clock: Clock) {
    this.#checks = checks
    this.#known = new TtlCache(clock, Number.MAX_SAFE_INTEGER, 10_000)
  }

  /** Null: the text cannot be read. @throws the errors of `PlaybookChecks.run` */
  of(text: string, work: Work): Promise<Outline | null> {
    return this.#known.get(digestOf(text), async () => (await this.#checks.run('outline', [text], work))[0] ?? null)
  }

  /**
   * The outlines by digest. Null: the text cannot be read, or takes too much to read. The latter is no error, because the text may belong to
   * another organization, which must not block this one.
   * @throws the store's errors; TocsinError `overloaded`
   */
  async ofAll(texts: readonly KnownText[], work: Work): Promise<ReadonlyMap<Digest, Outline | null>> {
    const found = new Map<Digest, Outline | null>()
    let batch: { readonly digest: Digest; readonly text: string }[] = []
    let characters = 0
    const look = async (): Promise<void> => {
      if (batch.length > 0) for (const [digest, outline] of await this.#together(batch, work)) found.set(digest, outline)
      batch = []
      characters = 0
    }
    for (const { digest, text } of new Map(texts.map((one) => [one.digest, one])).values()) {
      const standing = await this.#known.peek(digest)
      const read = standing === undefined ? await text() : null
      if (read === null) {
        found.set(digest, standing ?? null)
        continue
      }
      batch.push({ digest, text: read })
      characters += read.length
      if (batch.length >= together || characters >= charactersTogether) await look()
    }
    await look()
    return found
  }

  async #together(
    batch: readonly { readonly digest: Digest; readonly text: string }[],
    work: Work,
  ): Promise<readonly (readonly [Digest, Outline | null])[]> {
    try {
      const texts = batch.map(({ text }) => text)
      const outlines = await this.#checks.run('outline', texts, work)
      return Promise.all(
        batch.map(async ({ digest }, index) => [digest, await this.#known.get(digest, async () => outlines[index] ?? null)] as const),
      )
    } catch (error) {
      if (!isTooMuch(error)) throw error
      if (batch.length === 1) return batch.map(({ digest }) => [digest, null] as const)
      const alone = []
      for (const one of batch) alone.push(...(await this.#together([one], work)))
      return alone
    }
  }
}

/** Returns whether a check failed because it took too much time or memory. */
export function isTooMuch(error: unknown): boolean {
  return isTocsinError(error) && ['check_timeout', 'check_memory', 'check_died'].includes(error.code)
}
