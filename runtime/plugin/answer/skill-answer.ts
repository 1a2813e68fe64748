import type { Json } from '../../domain/index.ts'

export interface SkillAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed without loss if it is JSON, else the text. */
  readonly body: Json
  /**
   * Set if the system signs its answers but nobody vouches for this one. If it says that something
   * was done, do not believe it.
   */
  readonly unvouched?: 'unsigned' | 'for_another'
  /** Why the body could not be read: its charset, compression or size, or JSON that was cut off. */
  readonly fault?: string
  /**
   * The path of the first field that appears twice in an object of the body, such as
   * `rows.*.status`. The body has its last value.
   */
  readonly repeated?: string
}
