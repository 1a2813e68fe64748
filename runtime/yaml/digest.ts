import { hash } from 'node:crypto'
import type { Digest } from '../domain/index.ts'

/** Returns the name of an artifact: `sha256:` and the 64 hexadecimal digits of the SHA-256 of its UTF-8 bytes. */
export function digestOf(text: string): Digest {
  return `sha256:${hash('sha256', text, 'hex')}` as Digest
}
