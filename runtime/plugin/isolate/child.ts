/**
 * The isolate process. It has no secrets, no environment and, by Node's permission model, no files
 * but its own code. Code that breaks out of an isolate finds nothing here. An isolate serves one
 * call at a time, each in a new context, and only calls of the same script.
 */
import { type Cell, createCells } from './cells.ts'
import { excessOf } from './excess.ts'
import { brokenExit, type FromIsolates, type IsolateEnd, memoryExit, type SayLimits, type ToIsolates } from './protocol.ts'

type Run = Extract<ToIsolates, { kind: 'run' }>

interface Call {
  readonly cell: Cell
  readonly limits: SayLimits
  stopped: boolean
  /** Set if the call was ended because it sent too much. Says what was too much. */
  excess: string | null
  asked: number
  lines: number
  /** Null until the call has said its end; then whether it had no open asks and has been silent since. */
  silent: boolean | null
  /** Rejects what waits for the call. Nothing else would, if its isolate is disposed while it waits for a reply. */
  disposed(): void
  /** The asks that are not answered yet, by number. */
  readonly asks: Map<number, (body: string) => void>
}

/**
 * How many asks of a call may be open at once. The prelude allows far fewer, so a call with
 * more has bypassed it and is ended.
 */
const mostAtOnce = 256
/**
 * How many log lines of a call are passed on, and the longest line in characters. Slightly more
 * than the runtime writes, so that the runtime can say that it leaves some out.
 */
const [mostLines, longestLine] = [1_002, 32 * 1024]
const nothing = '{"ok":true,"value":null}'

const mebibyte = 1024 * 1024
/**
 * The memory of the process without any isolate (a generous estimate, in mebibytes), and how many
 * times its own memory an isolate may add.
 */
const [ownMemory, timesMemory] = [256, 2]
const watchEvery = 100

const scripts = new Map<string, string>()
// After a catastrophic error nothing in this process can be trusted.
const cells = createCells(() => process.exit(brokenExit))
const running = new Map<number, Call>()
let asks = 0

/**
 * How long the news that a call has begun may wait for another message, in milliseconds. Most handlers
 * soon ask for something or end, and a message costs both processes more than its content.
 */
const waitOfBegun = 2
let begun: FromIsolates[] = []
let late: NodeJS.Timeout | undefined

function sayBegun(call: number): void {
  begun.push({ kind: 'begun', call })
  late ??= setTimeout(() => tell([]), waitOfBegun)
}

function say(message: FromIsolates): void {
  tell([message])
}

function tell(messages: readonly FromIsolates[]): void {
  clearTimeout(late)
  late = undefined
  const all = [...begun, ...messages]
  begun = []
  process.send?.(all)
}

/**
 * Texts are passed as lists of one, and none comes back as the result of a promise. isolated-vm 7.0
 * never frees what it copies for such a result, and counts a bare text as memory of the isolate for
 * too long. (Measured: with results through promises, 1 GB of answers leaked 1 GB; this way,
 * nothing.)
 */
const copied = { arguments: { copy: true } } as const

/** Runs a call in a context that no other call has had or will have. */
async function inCell(own: Call, { call, digest, start }: Run): Promise<string> {
  const { cell } = own
  const finish = Promise.withResolvers<string>()
  // Nobody may wait for it yet.
  finish.promise.catch(() => {})
  let still: Promise<unknown> = Promise.resolve()
  /** Resolves when nothing that the isolate was given runs any more. */
  let quiet: Promise<unknown> = still
  // What runs now may not be interruptible, while all that waits behind it is given up at once. The call has ended when nothing runs.
  own.disposed = () => void quiet.then(() => finish.reject(new Error('Its isolate is disposed.')))
  const fresh = await cells.takeContext(cell, scripts.get(digest) ?? '')
  try {
    const give = (number: number, text: string): void => {
      // The isolate does one thing after the other. So when it has done this, nothing that it was given before runs any more.
      still = fresh.give.apply(undefined, [number, [text]], copied).catch((error: unknown) => {
        // What its file throws ends the call. A later promise that is rejected may still get its `catch`.
        if (number === 0 || cell.isolate.isDisposed) throw error
      })
      quiet = Promise.allSettled([quiet, still])
      still.catch((error: unknown) => (cell.isolate.isDisposed ? own.disposed() : finish.reject(error)))
    }
    fresh.hear = (number, op, text) => {
      if (op === 'end') {
        own.silent = own.asks.size === 0
        finish.resolve(text)
      } else ask(call, op, text, (reply) => give(number, reply))
    }
    sayBegun(call)
    give(0, start)
    const body = await finish.promise
    await still
    return body
  } finally {
    fresh.release()
  }
}

function ask(call: number, op: string, body: string, then: (reply: string) => void): void {
  const own = running.get(call)
  if (!own) return
  // It has said its end, so nobody waits for what it asks.
  if (own.silent !== null) {
    own.silent = false
    return
  }
  // Nobody reads what a script writes to its console.
  if (own.limits.asks === 0) return then(nothing)
  if (op === 'log') return tellLine(call, own, body, then)
  own.asked += 1
  const excess = own.asked > own.limits.asks ? `more than ${own.limits.asks} asks` : excessOf(body, own.limits.text)
  if (excess !== null) return endForExcess(own, `It asked for too much: ${excess}.`)
  pass(call, own, op, body, then)
}

function pass(call: number, own: Call, op: string, body: string, then: (reply: string) => void): void {
  const id = ++asks
  own.asks.set(id, then)
  if (own.asks.size > mostAtOnce) return endForExcess(own, `It asked for more than ${mostAtOnce} things at once.`)
  say({ kind: 'ask', call, ask: id, op, body })
}

function tellLine(call: number, own: Call, body: string, then: (reply: string) => void): void {
  own.lines += 1
  if (own.lines > mostLines) return then(nothing)
  const cut = { level: 'warn', message: `a log line of ${body.length} characters was left out`, fields: {} }
  pass(call, own, 'log', body.length > longestLine ? JSON.stringify(cut) : body, then)
}

function endForExcess(own: Call, why: string): void {
  own.excess ??= why
  if (!own.cell.isolate.isDisposed) own.cell.isolate.dispose()
  own.disposed()
}

async function run(message: Run): Promise<void> {
  const { call, digest, script } = message
  if (script !== undefined) scripts.set(digest, script)
  const cell = cells.take(digest, message.memory)
  const own: Call = {
    cell,
    limits: message.limits,
    stopped: false,
    excess: null,
    asked: 0,
    lines: 0,
    silent: null,
    disposed: () => {},
    asks: new Map(),
  }
  running.set(call, own)
  let end: IsolateEnd
  try {
    const body = await inCell(own, message)
    const excess = excessOf(body, own.limits.text)
    end = excess === null ? { kind: 'finished', body } : { kind: 'excess', message: `Its result is too large: ${excess}.` }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (own.excess !== null) end = { kind: 'excess', message: own.excess }
    else if (own.stopped) end = { kind: 'stopped' }
    else if (cell.isolate.isDisposed) end = { kind: 'memory' }
    else end = { kind: 'broken', message: text.slice(0, 2_000) }
  }
  running.delete(call)
  if (end.kind === 'finished' && own.silent) cells.rest(cell)
  else if (!cell.isolate.isDisposed) cell.isolate.dispose()
  say({ kind: 'ended', call, end })
}

function stop(call: number): void {
  const own = running.get(call)
  if (!own || own.cell.isolate.isDisposed) return
  own.stopped = true
  own.cell.isolate.dispose()
  own.disposed()
}

process.on('message', (message: ToIsolates) => {
  switch (message.kind) {
    case 'run':
      void run(message)
      break
    case 'stop':
      stop(message.call)
      break
    case 'reply': {
      const asked = running.get(message.call)?.asks
      asked?.get(message.ask)?.(message.body)
      asked?.delete(message.ask)
    }
  }
})
// A terminal or a service manager signals all processes of a group. Ignore that: the parent ends this
// process when its calls have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})
// The parent is gone. A normal exit would wait for code in the isolates, which may loop forever.
const dieAlone = (): void => void process.kill(process.pid, 'SIGKILL')
process.on('disconnect', dieAlone)
// A failed send may be the first sign that the parent is gone.
process.on('error', dieAlone)

// An isolate's memory limit counts only its heap, as its garbage collector sees it. A single operation
// may need many times that, so the memory of the whole process is watched too.
setInterval(() => {
  const memories = [...running.values()].map(({ cell }) => cell.memory)
  const allowed = memories.reduce((sum, memory) => sum + memory, cells.idleMemory) * timesMemory + ownMemory
  if (process.memoryUsage.rss() > allowed * mebibyte) process.exit(memoryExit)
}, watchEvery)
