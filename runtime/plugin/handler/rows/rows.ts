import { Worker } from 'node:worker_threads'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { compileCacheVariables } from '../../../subprocess/index.ts'
import { inLargeParts } from './large-parts.ts'

export interface RowsTask {
  readonly format: 'csv' | 'jsonl'
  readonly contentType: string
}

/** The thread's reply to a part: the complete batches, each the JSON of a list of rows. */
export type RowsReply = { readonly batches: readonly string[] } | { readonly fault: string }

/** The limits of the thread's heap, in mebibytes. It needs a batch or two, and the longest row. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 }

/**
 * Returns the rows of a large answer as they arrive, in batches of several hundred. Each batch is JSON.
 * One of CSV has the names of the first line, and a list with the values of each row; one of JSON lines is
 * a list of them. Integers beyond 2^53 become strings. While a batch is used, the next part is read.
 * @param contentType names the charset
 * @throws TocsinError `answer_not_understood` if the text is not CSV or JSON lines, or is invalid
 * in its charset, and whatever `body` throws
 */
export async function* batchesOf(format: RowsTask['format'], body: AsyncIterable<Uint8Array>, contentType = ''): AsyncGenerator<string> {
  const workerData: RowsTask = { format, contentType }
  const thread = new Worker(new URL('./rows-thread.ts', import.meta.url), { workerData, resourceLimits, env: compileCacheVariables() })
  const parts = inLargeParts(body)
  const next = async (): Promise<readonly string[] | null> => {
    const { value, done } = await parts.next()
    return done ? null : read(thread, value)
  }
  try {
    for (let coming = next(); ; ) {
      const batches = await coming
      if (batches === null) break
      coming = next()
      // Nobody may be left who waits for it.
      coming.catch(() => {})
      yield* batches
    }
    yield* await read(thread, null)
  } finally {
    // It may wait for a part that never comes. Whoever leaves the rows cancels the answer.
    parts.return(undefined).catch(() => {})
    await thread.terminate()
  }
}

function read(thread: Worker, part: Uint8Array<ArrayBuffer> | null): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new TocsinError('answer_not_understood', why))
    thread.removeAllListeners()
    // The heap is large enough for the longest allowed row. If it overflows, a row was longer.
    thread.once('error', (error) => fail(`The rows of the answer cannot be read: ${messageOf(error)}`))
    thread.once('message', (reply: RowsReply) => ('fault' in reply ? fail(reply.fault) : resolve(reply.batches)))
    thread.postMessage(part, part ? [part.buffer] : [])
  })
}
