/**
 * Reads rows in a separate thread (`rows.ts`), so that a large file neither blocks the process nor
 * fills its heap. The reply to each part of the file has the batches that are now complete. The
 * reply to its end has the rest.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { deeperThan, type Json, mostLevels, parseJson } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import { charsetOf, markBytes, misencoded, unknownCharset } from '../../answer/charset.ts'
import { CsvReader, longestRow } from './csv.ts'
import type { RowsReply, RowsTask } from './rows.ts'

/** About how many rows and characters a batch has. A few batches of a large answer are in memory at once. */
const [batchRows, batchSize] = [500, 256 * 1024]

/** Reads the parts of a file one after the other. */
interface Reader {
  /**
   * Keeps the rows that the part completes.
   * @param part null: the end
   * @throws Error with the reason if the file is broken
   */
  read(part: string | null): void
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

/**
 * Matches a line that is not passed on as it is, because whoever parses it may get another value: one with a long number, an exponent, or
 * zero with a sign. In JSON a number follows one of these characters. What looks like a number within a text does no harm.
 */
const inexact = /(?:^|[:,[\s])(?:-?\d{16}|-?\d[\d.]*[eE]|-0)/

let full: string[] = []
/** Makes a batch of the JSON of its rows, which is a list. */
let batchOf = (list: string): string => list
let rows: string[] = []
let size = 0

function complete(): void {
  if (rows.length > 0) full.push(batchOf(`[${rows.join(',')}]`))
  rows = []
  size = 0
}

/** @param text the JSON of a row */
function keep(text: string): void {
  rows.push(text)
  size += text.length
  if (rows.length >= batchRows || size >= batchSize) complete()
}

function say(reply: RowsReply): void {
  parentPort?.postMessage(reply)
}

function csvReader(): Reader {
  const reader = new CsvReader(keep)
  // A name is once in a batch, not in each of its rows.
  batchOf = (list) => `{"names":${JSON.stringify(reader.names)},"rows":${list}}`
  return {
    read(part) {
      try {
        reader.read(part)
      } catch (error) {
        throw new Error(`The answer is not valid CSV: ${messageOf(error)}`)
      }
    },
  }
}

function jsonlReader(): Reader {
  let rest = ''
  let line = 0
  const take = (text: string): void => {
    line += 1
    if (text.length > longestRow) throw new SyntaxError(`longer than ${longestRow} characters`)
    if (text.trim() === '') return
    const exact = !inexact.test(text)
    const row = exact ? (JSON.parse(text) as Json) : parseJson(text)
    if (text.length > mostLevels && deeperThan(row, mostLevels)) throw new SyntaxError(`nested deeper than ${mostLevels} levels`)
    keep(exact ? text : JSON.stringify(row))
  }
  return {
    read(part) {
      try {
        const lines = (rest + (part ?? '')).split(/\r?\n/)
        rest = part === null ? '' : (lines.pop() ?? '')
        for (const text of lines) take(text)
        if (rest.length > longestRow) take(rest)
      } catch (error) {
        throw new Error(`Line ${line} of the answer is not valid JSON: ${messageOf(error)}`)
      }
    },
  }
}

const { format, contentType } = workerData as RowsTask
const decoding = new Decoding(contentType)
const reader = format === 'csv' ? csvReader() : jsonlReader()

parentPort?.on('message', (part: Uint8Array | null) => {
  try {
    reader.read(decoding.text(part))
    if (part === null) {
      // The decoder has given back what it held. Now the text ends.
      reader.read(null)
      complete()
    }
    say({ batches: full })
    full = []
  } catch (error) {
    say({ fault: messageOf(error) })
  }
})
