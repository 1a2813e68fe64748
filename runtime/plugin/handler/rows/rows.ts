import { Worker } from 'node:worker_threads'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { compileCacheVariables } from '../../../subprocess/index.ts'

export interface RowsTask {
  readonly format: 'csv' | 'jsonl'
  readonly contentType: string
}

/** The thread's reply to a part: the complete batches, each the JSON of a list of rows. */
export type RowsReply = { readonly batches: readonly string[] } | { readonly fault: string }

/** The limits of the thread's heap, in mebibytes. It needs a batch or two, and the longest row. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 }

/**
 * Returns the rows of a large answer as they arrive, in batches of a few hundred. Each batch is the
 * JSON of a list. Rows of CSV are objects with the names of the first line; JSON lines stay as they
 * are. Integers beyond 2^53 become strings.
 * @param contentType names the charset
 * @throws TocsinError `answer_not_understood` if the text is not CSV or JSON lines, or is invalid
 * in its charset, and whatever `body` throws
 */
export async function* batchesOf(format: RowsTask['format'], body: AsyncIterable<Uint8Array>, contentType = ''): AsyncGenerator<string> {
  const workerData: RowsTask = { format, contentType }
  const thread = new Worker(new URL('./rows-thread.ts', import.meta.url), { workerData, resourceLimits, env: compileCacheVariables() })
  try {
    // A copy, because a buffer that is transferred to a thread is gone here, and parts may share their
    // memory with others.
    for await (const part of body) yield* await read(thread, new Uint8Array(part))
    yield* await read(thread, null)
  } finally {
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
