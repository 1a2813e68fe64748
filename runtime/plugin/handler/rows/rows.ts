import { Worker } from 'node:worker_threads'
import { messageOf, TocsinError } from '../../../errors/index.ts'

export interface RowsTask {
  readonly format: 'csv' | 'jsonl'
  readonly contentType: string
}

/** What the thread says to a part: the batches that are complete, each JSON of a list of rows. */
export type RowsReply = { readonly batches: readonly string[] } | { readonly fault: string }

/** Mebibytes of the thread's heap: what it needs is a batch or two, and the longest row. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/**
 * The rows of a large answer as they come, in batches of a few hundred, each JSON of a list: of a CSV as objects by the names of its first line, of JSON lines
 * as they are, integers beyond 2^53 as texts.
 * @param contentType names the charset
 * @throws TocsinError `answer_not_understood` if the text is not CSV or JSON lines, or is invalid in its charset; whatever `body` throws
 */
export async function* batchesOf(format: RowsTask['format'], body: AsyncIterable<Uint8Array>, contentType = ''): AsyncGenerator<string> {
  const workerData: RowsTask = { format, contentType }
  const thread = new Worker(new URL('./rows-thread.ts', import.meta.url), { workerData, resourceLimits, env: {} })
  try {
    // A copy, because what is given to a thread is gone here, and parts may share their memory with others.
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
    // What the thread's heap cannot hold is no row.
    thread.once('error', (error) => fail(`The rows of the answer cannot be read: ${messageOf(error)}`))
    thread.once('message', (reply: RowsReply) => ('fault' in reply ? fail(reply.fault) : resolve(reply.batches)))
    thread.postMessage(part, part ? [part.buffer] : [])
  })
}
