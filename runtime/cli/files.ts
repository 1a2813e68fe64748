import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { messageOf, TocsinError } from '../errors/index.ts'

/**
 * Reads a text from a file, or from standard input for `-`. Skips a byte order mark.
 * @throws TocsinError `file_unreadable`, also if it is not UTF-8: what is no UTF-8 would be lost
 */
export function readInput(file: string): string {
  const bytes = readBytes(file)
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  const what = file === '-' ? 'Standard input' : file
  throw new TocsinError('file_unreadable', `${what} is not UTF-8${beginsAsUtf16(bytes) ? ', but looks like UTF-16' : ''}.`, [], {
    remedy: 'Save it as UTF-8, or convert it: iconv -f UTF-16 -t UTF-8.',
  })
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
  }
}

function beginsAsUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

/**
 * Refuses to replace a file, before any work is done for it.
 * @param force replace it all the same
 * @throws TocsinError `file_unwritable`
 */
export function refuseExisting(file: string | undefined, force: boolean | undefined): void {
  if (file !== undefined && existsSync(file) && !force)
    throw new TocsinError('file_unwritable', `${file} already exists. To replace it, give --force.`)
}

/** @throws TocsinError `file_unwritable` */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new TocsinError('file_unwritable', messageOf(error), [], { cause: error })
  }
}
