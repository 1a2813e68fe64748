/**
 * Reads rows in a thread of its own (`rows.ts`): a large file neither holds the runtime's other work up nor makes its heap grow. Each part of
 * it is answered with the batches that it completed, and its end with the rest.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'csv-parse'
import { deeperThan, type Json, mostLevels, parseJson } from '../../domain/index.ts'
import type { RowsReply, RowsTask } from './rows.ts'

/** Rows and characters of one batch, about: so much of a large answer is in memory at once. */
const [batchRows, batchSize] = [500, 256 * 1024]
/** Bytes of one row. */
const maxRow = 4 * 1024 * 1024

/** Reads parts of a file one after the other. */
interface Reader {
  /** @param part null: the end @param done called once when all rows of it have been kept */
  read(part: Uint8Array | null, done: () => void): void
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
  const parser = parse({ columns: true, bom: true, skip_empty_lines: true, max_record_size: maxRow })
  let ended = (): void => {}
  parser.on('data', keep)
  parser.on('end', () => ended())
  parser.on('error', ({ message }) => say({ fault: `The answer is no CSV: ${message}` }))
  return {
    read(part, done) {
      if (part !== null) return void parser.write(part, (error) => error ?? done())
      ended = done
      parser.end()
    },
  }
}

function jsonlReader(): Reader {
  const decoder = new TextDecoder()
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
        const lines = (rest + (part === null ? decoder.decode() : decoder.decode(part, { stream: true }))).split(/\r?\n/)
        rest = part === null ? '' : (lines.pop() ?? '')
        for (const text of lines) take(text)
        if (rest.length > maxRow) take(rest)
        done()
      } catch (error) {
        say({ fault: `Line ${line} of the answer is no JSON: ${error instanceof Error ? error.message : String(error)}` })
      }
    },
  }
}

const reader = (workerData as RowsTask).format === 'csv' ? csvReader() : jsonlReader()
parentPort?.on('message', (part: Uint8Array | null) =>
  reader.read(part, () => {
    if (part === null) complete()
    say({ batches: full })
    full = []
  }),
)
