import { readFileSync, writeFileSync } from 'node:fs'
import { messageOf, TocsinError } from '../errors/index.ts'

/** Reads a file, or standard input for `-`. @throws TocsinError `file_unreadable` */
export function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new TocsinError('file_unreadable', messageOf(error), [], { cause: error })
  }
}

/** @throws TocsinError `file_unwritable` */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new TocsinError('file_unwritable', messageOf(error), [], { cause: error })
  }
}
