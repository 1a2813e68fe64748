/**
 * Reads rows in a separate thread (`rows.ts`), so that a large file neither blocks the process nor
 * fills its heap. The reply to each part of the file has the batches that are now complete. The
 * reply to its end has the rest.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'csv-parse'
import { deeperThan, type Json, mostLevels, parseJson } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import { charsetOf, markBytes, misencoded, unknownCharset } from '../../answer/charset.ts'
import type { RowsReply, RowsTask } from './rows.ts'

/** About how many rows and characters a batch has. So much of a large answer is in memory at once. */
const [batchRows, batchSize] = [500, 256 * 1024]
/** Longest row, in bytes. */
const maxRow = 4 * 1024 * 1024

/** Reads the parts of a file one after the other. */
interface Reader {
  /**
   * @param part null: the end
   * @param done called once when all rows of the part have been kept
   */
  read(part: string | null, done: () => void): void
}

/** Decodes a text that comes in parts, in the charset that `charsetOf` finds. Throws if a byte is invalid. */
class Decoding {
  readonly #contentType: string
  #start = Buffer.alloc(0)
  #decoder: InstanceType<typeof TextDecoder> | null = null

  constructor(contentType: string) {
    this.#contentType = contentType
  }

  /** @param part null: the end of the text. @throws Error with the reason */
  text(part: Uint8Array | null): string {
    let bytes = part ?? Buffer.alloc(0)
    if (this.#decoder === null) {
      bytes = this.#start = Buffer.concat([this.#start, bytes])
      if (part !== null && bytes.length < markBytes) return ''
    }
    this.#decoder ??= this.#begin()
    const decoder = this.#decoder
    try {
      return decoder.decode(bytes, { stream: part !== null })
    } catch {
      throw new Error(misencoded(decoder.encoding, this.#contentType))
    }
  }

  #begin(): InstanceType<typeof TextDecoder> {
    const charset = charsetOf(this.#contentType, this.#start)
    if ('fault' in charset) throw new Error(unknownCharset(charset.fault))
    return new TextDecoder(charset.name, { fatal: true })
  }
}

let full: string[] = []
let rows: string[] = []
let size = 0

function complete(): void {
  if (rows.length > 0) full.push(`[${rows.join(',')}]`)
  rows = []
  size = 0
}

function keep(row: Json): void {
  const text = JSON.stringify(row)
  rows.push(text)
  size += text.length
  if (rows.length >= batchRows || size >= batchSize) complete()
}

function say(reply: RowsReply): void {
  parentPort?.postMessage(reply)
}

function csvReader(): Reader {
  const parser = parse({ columns: eachOnce, skip_empty_lines: true, max_record_size: maxRow })
  let ended = (): void => {}
  parser.on('data', keep)
  parser.on('end', () => ended())
  parser.on('error', ({ message }) => say({ fault: `The answer is not valid CSV: ${message}` }))
  return {
    read(part, done) {
      if (part !== null) return void parser.write(part, (error) => error ?? done())
      ended = done
      parser.end()
    },
  }
}

/** Refuses two columns with the same name, because a row would keep only the last value. */
function eachOnce(names: readonly string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two columns have the name ${JSON.stringify(twice)}`)
  return [...names]
}

function jsonlReader(): Reader {
  let rest = ''
  let line = 0
  const take = (text: string): void => {
    line += 1
    if (text.length > maxRow) throw new SyntaxError(`longer than ${maxRow} characters`)
    if (text.trim() === '') return
    const row = parseJson(text)
    if (text.length > mostLevels && deeperThan(row, mostLevels)) throw new SyntaxError(`nested deeper than ${mostLevels} levels`)
    keep(row)
  }
  return {
    read(part, done) {
      try {
        const lines = (rest + (part ?? '')).split(/\r?\n/)
        rest = part === null ? '' : (lines.pop() ?? '')
        for (const text of lines) take(text)
        if (rest.length > maxRow) take(rest)
        done()
      } catch (error) {
        say({ fault: `Line ${line} of the answer is not valid JSON: ${error instanceof Error ? error.message : String(error)}` })
      }
    },
  }
}

const { format, contentType } = workerData as RowsTask
const decoding = new Decoding(contentType)
const reader = format === 'csv' ? csvReader() : jsonlReader()

function read(text: string | null, done: () => void): void {
  try {
    reader.read(text, done)
  } catch (error) {
    say({ fault: messageOf(error) })
  }
}

function answer(): void {
  say({ batches: full })
  full = []
}

parentPort?.on('message', (part: Uint8Array | null) => {
  let text: string
  try {
    text = decoding.text(part)
  } catch (error) {
    return say({ fault: messageOf(error) })
  }
  if (part !== null) return read(text, answer)
  // First read the text that the decoder has held back, then signal the end.
  read(text, () =>
    read(null, () => {
      complete()
      answer()
    }),
  )
})
