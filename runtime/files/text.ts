import { isUtf8 } from 'node:buffer'
import { TocsinError } from '../errors/index.ts'

/**
 * Returns the text in the bytes of a file. Skips a byte order mark.
 * @param what names the file in the error
 * @throws TocsinError `file_unreadable` if it is not UTF-8: what is no UTF-8 would be lost
 */
export function utf8Of(bytes: Uint8Array, what: string): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new TocsinError('file_unreadable', `${what} is not UTF-8${beginsAsUtf16(bytes) ? ', but looks like UTF-16' : ''}.`, [], {
    remedy: 'Save it as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8.',
  })
}

function beginsAsUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}
