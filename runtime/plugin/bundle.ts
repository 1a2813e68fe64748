import type { Digest } from '../domain/index.ts'

/** A handler or script with everything that it imports, as one text. */
export interface Bundle {
  readonly digest: Digest
  readonly text: string
}
