/**
 * The isolate process. It has no secrets, no environment and, by Node's permission model, no files
 * but its own code. Code that breaks out of an isolate finds nothing here. An isolate serves one
 * call at a time, each in a new context, and only calls of the same script.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'
import { excessOf } from './excess.ts'
import { brokenExit, type FromIsolates, type IsolateEnd, memoryExit, type SayLimits, type ToIsolates } from './protocol.ts'

type Run = Extract<ToIsolates, { kind: 'run' }>

/** An isolate. It is kept for further calls. */
interface Cell {
  readonly isolate: ivm.Isolate
  /** The script whose calls it serves. */
  readonly digest: string
  readonly memory: number
  readonly scripts: Map<string, ivm.Script>
  calls: number
}

interface Call {
  readonly cell: Cell
  readonly limits: SayLimits
  stopped: boolean
  /** Set if the call was ended because it sent too much. Says what was too much. */
  excess: string | null
  asked: number
  lines: number
  /** The asks that are not answered yet, by number. */
  readonly asks: Map<number, (body: string) => void>
}

/**
 * Some garbage stays in every isolate. So an isolate is replaced after this many calls, or when
 * more than this part of its memory is in use.
 */
const callsOfCell = 200
const mostTaken = 1 / 2
const maxIdle = 8
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

// A function, so that the handler can reach only what it returns. Type imports vanish with the types.
const prelude = `(() => {${stripTypeScriptTypes(readFileSync(new URL('./prelude.ts', import.meta.url), 'utf8'), { mode: 'strip' })}\nreturn begin })()`

const scripts = new Map<string, string>()
const idle: Cell[] = []
const running = new Map<number, Call>()
let asks = 0

function say(message: FromIsolates): void {
  process.send?.(message)
}

function cellFor({ digest, memory }: Run): Cell {
  const at = idle.findIndex((cell) => cell.digest === digest && cell.memory === memory)
  const [cell] = at < 0 ? [] : idle.splice(at, 1)
  if (cell) return cell
  // After a catastrophic error nothing in this process can be trusted.
  const isolate = new ivm.Isolate({ memoryLimit: memory, onCatastrophicError: () => process.exit(brokenExit) })
  return { isolate, digest, memory, scripts: new Map(), calls: 0 }
}

/** @param clean whether nothing of the call can still be running in the isolate */
function leave(cell: Cell, clean: boolean): void {
  if (cell.isolate.isDisposed) return
  cell.calls += 1
  if (clean && cell.calls < callsOfCell && hasRoom(cell)) idle.push(cell)
  else cell.isolate.dispose()
  if (idle.length > maxIdle) idle.shift()?.isolate.dispose()
}

function hasRoom({ isolate, memory }: Cell): boolean {
  const { used_heap_size: used, externally_allocated_size: outside } = isolate.getHeapStatisticsSync()
  return used + outside < memory * mebibyte * mostTaken
}

async function scriptOf(cell: Cell, name: string, text: string): Promise<ivm.Script> {
  const standing = cell.scripts.get(name)
  if (standing) return standing
  const script = await cell.isolate.compileScript(text, { filename: name })
  cell.scripts.set(name, script)
  return script
}

/**
 * Texts are passed as lists of one, and no result comes back through a promise. isolated-vm 7.0
 * never frees what it copies for such a result, and counts a bare text as memory of the isolate for
 * too long. (Measured: with results through promises, 1 GB of answers leaked 1 GB; this way,
 * nothing.)
 */
const copied = { arguments: { copy: true } } as const

/**
 * Runs the prelude first, so that the handler's code, from its first line, sees only what the
 * prelude leaves, and nothing of the host.
 */
async function inCell({ cell }: Call, { call, digest, start }: Run): Promise<string> {
  const context = await cell.isolate.createContext()
  try {
    const begin: ivm.Reference = await (await scriptOf(cell, 'prelude', prelude)).run(context, { reference: true })
    const finish = Promise.withResolvers<string>()
    const host = new ivm.Reference((number: unknown, op: unknown, body: unknown) => {
      const text = String(Array.isArray(body) ? body[0] : body)
      if (op === 'end') finish.resolve(text)
      else ask(call, String(op), text, (reply) => answer.applyIgnored(undefined, [Number(number), [reply]], copied))
    })
    const begun: ivm.Reference = await begin.apply(undefined, [host, [start]], { ...copied, result: { reference: true } })
    const [answer, run] = (await Promise.all(['answer', 'run'].map((name) => begun.get(name, { reference: true })))) as [ivm.Reference, ivm.Reference]
    say({ kind: 'begun', call })
    await (await scriptOf(cell, digest, scripts.get(digest) ?? '')).run(context)
    await run.apply(undefined, [], { result: { promise: true } })
    // The end was sent before `run` returned, but may arrive after.
    return await finish.promise
  } finally {
    if (!cell.isolate.isDisposed) context.release()
  }
}

function ask(call: number, op: string, body: string, then: (reply: string) => void): void {
  const own = running.get(call)
  if (!own) return
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
}

async function run(message: Run): Promise<void> {
  const { call, digest, script } = message
  if (script !== undefined) scripts.set(digest, script)
  const cell = cellFor(message)
  const own: Call = { cell, limits: message.limits, stopped: false, excess: null, asked: 0, lines: 0, asks: new Map() }
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
  leave(cell, end.kind === 'finished' && own.asks.size === 0)
  say({ kind: 'ended', call, end })
}

function stop(call: number): void {
  const own = running.get(call)
  if (!own || own.cell.isolate.isDisposed) return
  own.stopped = true
  own.cell.isolate.dispose()
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
  // Idle isolates count too: they still hold what their last call left.
  const cells = [...idle, ...[...running.values()].map(({ cell }) => cell)]
  const allowed = cells.reduce((sum, { memory }) => sum + memory * timesMemory, ownMemory)
  if (process.memoryUsage.rss() > allowed * mebibyte) process.exit(memoryExit)
}, watchEvery)
