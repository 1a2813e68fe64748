import { createHash } from 'node:crypto'
import type { Digest } from '../domain/index.ts'

/** The name of an artifact: `sha256:` and the 64 hexadecimal digits of the SHA-256 of its UTF-8 bytes. */
export function digestOf(text: string): Digest {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}` as Digest
}
