import type { Json } from '../../domain/index.ts'

export interface SkillAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed without loss when it is JSON, else the text. */
  readonly body: Json
  /** Answers are signed, and nobody vouches for this one: that something was done is not believed of it. */
  readonly unvouched?: 'unsigned' | 'for_another'
  /** Why the body could not be read: its charset, its compression, its size, or JSON that was cut off. */
  readonly fault?: string
  /** The first field that an object of the body has twice (`rows.*.status`). The body has its last value. */
  readonly repeated?: string
}
