import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { Json } from '../../domain/index.ts'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { deeperThan, mostLevels, parseJson } from '../../expressions/index.ts'

/** Rows and characters of one batch, about: so much of a large answer is in memory at once. */
const [batchRows, batchSize] = [500, 256 * 1024]
/** Bytes of one row. */
const maxRow = 4 * 1024 * 1024

export interface Batch {
  readonly rows: readonly Json[]
  /** JSON of the rows. */
  readonly text: string
}

/**
 * The rows of a large answer, batch by batch, as they come.
 * @throws TocsinError `answer_not_understood` for what is no CSV or JSON lines; and whatever `body` throws
 */
export async function* batchesOf(format: 'csv' | 'jsonl', body: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let rows: Json[] = []
  let texts: string[] = []
  let size = 0
  const batch = (): Batch => {
    const full = { rows, text: `[${texts.join(',')}]` }
    rows = []
    texts = []
    size = 0
    return full
  }
  for await (const row of format === 'csv' ? csvRows(body) : jsonRows(body)) {
    const text = JSON.stringify(row)
    rows.push(row)
    texts.push(text)
    size += text.length
    if (rows.length >= batchRows || size >= batchSize) yield batch()
  }
  if (rows.length > 0) yield batch()
}

async function* csvRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  const parser = parse({ columns: true, bom: true, skip_empty_lines: true, max_record_size: maxRow })
  const source = Readable.from(body, { objectMode: false, highWaterMark: 64 * 1024 })
  // A fault of the source is the reader's to hear, in place of the parser's.
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const row of parser) yield row as Json
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new TocsinError('answer_not_understood', `The answer is no CSV: ${messageOf(error)}`)
  } finally {
    source.destroy()
  }
}

async function* jsonRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  const read = (text: string): Json => {
    line += 1
    try {
      const row = parseJson(text)
      if (text.length > mostLevels && deeperThan(row, mostLevels)) throw new SyntaxError(`nested deeper than ${mostLevels} levels`)
      return row
    } catch (error) {
      throw new TocsinError('answer_not_understood', `Line ${line} of the answer is no JSON: ${messageOf(error)}`)
    }
  }
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > maxRow)
      throw new TocsinError('answer_not_understood', `Line ${line + lines.length + 1} of the answer is longer than ${maxRow} characters.`)
    for (const text of lines) if (text.trim() !== '') yield read(text)
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield read(rest)
}
