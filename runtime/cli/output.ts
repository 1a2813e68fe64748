import { fstatSync, writeSync } from 'node:fs'
import { TocsinError } from '../errors/index.ts'
import { systemCode } from '../files/index.ts'
import { explainFailure } from './failure.ts'

/**
 * Makes the command fail if what it prints cannot be written, for example because the disk is full. Without this, most commands would end with 0
 * and leave a part of their output. A reader that closes its pipe, such as `head`, has what it wanted: then nothing fails.
 */
export function watchOutput(): void {
  const { stdout } = process
  if (fstatSync(stdout.fd).isFile()) stdout._write = writeWhole
  stdout.on('error', (error) => {
    if (systemCode(error) === 'EPIPE' || failed) return
    failed = true
    console.error(explainFailure(new TocsinError('file_unwritable', `standard output: ${error.message}`, [], { cause: error })))
  })
  process.once('exit', () => {
    if (failed) process.exitCode ||= 1
  })
}

let failed = false

/** Node writes to a file only once, and does not look whether all of it was written. */
function writeWhole(chunk: Buffer | string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
  try {
    const bytes = Buffer.from(chunk)
    for (let at = 0; at < bytes.length; ) at += writeSync(process.stdout.fd, bytes, at)
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}
