import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { messageOf, TocsinError } from '../errors/index.ts'
import { utf8Of } from '../files/index.ts'

/**
 * Reads a text from a file, or from standard input for `-`. Skips a byte order mark.
 * @throws TocsinError `file_unreadable`, also if it is not UTF-8: what is no UTF-8 would be lost
 */
export function readInput(file: string): string {
  return utf8Of(readBytes(file), file === '-' ? 'Standard input' : file)
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
  }
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
