import type { Digest } from '../domain/index.ts'

/** The code of a handler or script with all its imports, as one text. */
export interface Bundle {
  readonly digest: Digest
  readonly text: string
}
