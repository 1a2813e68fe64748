import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Millis } from '../../../domain/index.ts'
import { checkedWhole, checkWhole, Sql, walkPages } from '../database/index.ts'
import { faultOf } from '../files/index.ts'
import type { Batch, FromThread, Reply, ThreadOptions, ToThread } from './messages.ts'
import { failureOf, Transactions } from './perform.ts'
import { shorten } from './short-replies.ts'
import type { Writer } from './writer.ts'

const port = parentPort
if (!port) throw new Error("This file runs in the store's thread. Do not run it directly.")
const tell = (message: FromThread): void => port.postMessage(message)

/** Answers the calls of a batch, without what they have sent. */
function answer({ calls }: Batch, replies: readonly Reply[]): void {
  const short = calls.map((call, index): Reply => {
    const reply = replies[index] as Reply
    return 'value' in reply ? { value: shorten(reply.value, call) } : reply
  })
  tell({ kind: 'replies', replies: short })
}

type Receive = (message: ToThread) => void

function startWriter(writer: Writer): Receive {
  let sealing: NodeJS.Immediate | undefined
  /** Lets the thread handle messages between two steps. */
  function seal(now: Millis): void {
    clearImmediate(sealing)
    sealing = setImmediate(() => {
      if (writer.seal(now)) seal(now)
    })
  }
  return (message) => {
    switch (message.kind) {
      case 'batch':
        answer(message, writer.perform(message))
        writer.look(message.now)
        return seal(message.now)
      case 'look':
        writer.look(message.now)
        return seal(message.now)
      case 'begin':
        return tell({ kind: 'opened', reply: begin(writer, message.now) })
      case 'finish':
        clearImmediate(sealing)
        writer.finish(message.now)
        return tell({ kind: 'finished' })
      case 'close':
        writer.close(message.now)
        port?.close()
    }
  }
}

function begin(writer: Writer, now: Millis): Reply {
  try {
    writer.begin(now)
    return { value: true }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function startReader({ files, check }: ThreadOptions & { readonly role: 'reader' }): Receive {
  const database = openToRead(files.database)
  // Created with the first batch, because the tables may not exist before the writer has begun.
  let transactions: Transactions | null = null
  let walk: ReturnType<typeof walkPages> | null = null
  if (check) {
    if (statSync(files.database).size <= checkedWhole) setImmediate(() => tell({ kind: 'checked', problems: checkWhole(database) }))
    else {
      walk = walkPages(files.database)
      setImmediate(goOn)
    }
  }
  /** Does one slice of the check, then lets the thread handle messages. */
  function goOn(): void {
    const next = walk?.next()
    if (!next) return
    if (next.done) return tell({ kind: 'checked', problems: next.value })
    tell({ kind: 'checking', ...next.value })
    setImmediate(goOn)
  }
  return (message) => {
    if (message.kind === 'close') {
      walk?.return([])
      walk = null
      database.close()
      port?.close()
    } else if (message.kind === 'finish') {
      tell({ kind: 'finished' })
    } else if (message.kind === 'batch') {
      transactions ??= new Transactions(database, new Sql(database), 'BEGIN')
      answer(message, transactions.perform(message))
    }
  }
}

function openToRead(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
    // SQLite opens the log at the first read. Read now, because later it might be another file.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (error) {
    throw faultOf(path, error)
  }
}

const options = workerData as ThreadOptions
/** Loads the code of the role: the reader needs none that writes. Returns what opens the file. */
async function load(): Promise<() => Receive> {
  if (options.role === 'reader') return () => startReader(options)
  const { Writer } = await import('./writer.ts')
  return () => startWriter(new Writer(options, tell))
}
const start = await load()
port.once('message', ({ kind }: ToThread) => {
  // The store was closed before its file was opened.
  if (kind !== 'open') return port.close()
  try {
    const receive = start()
    port.on('message', receive)
    tell({ kind: 'opened', reply: { value: true } })
  } catch (error) {
    tell({ kind: 'opened', reply: { failure: failureOf(error) } })
    port.close()
  }
})
