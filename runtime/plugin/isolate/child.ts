/**
 * The process of the isolates. It has no secret, no environment and, by Node's permission model, no files but its own code: what breaks
 * out of an isolate finds nothing here. One isolate serves one call at a time, each in a context of its own, and only calls of one script.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'
import { excessOf } from './excess.ts'
import { brokenExit, type FromIsolates, type IsolateEnd, memoryExit, type SayLimits, type ToIsolates } from './protocol.ts'

type Run = Extract<ToIsolates, { kind: 'run' }>

/** An isolate that waits for its next call. */
interface Cell {
  readonly isolate: ivm.Isolate
  /** Of the script whose calls it serves. */
  readonly digest: string
  readonly memory: number
  readonly scripts: Map<string, ivm.Script>
  calls: number
}

interface Call {
  readonly cell: Cell
  readonly limits: SayLimits
  stopped: boolean
  /** Why it was ended: it said too much. */
  excess: string | null
  asked: number
  lines: number
  /** Asks that are not answered yet. */
  readonly asks: Map<number, (body: string) => void>
}

/** Some garbage stays in every isolate. So an isolate is replaced after this many calls, or when it uses more than this part of its memory. */
const callsOfCell = 200
const mostTaken = 1 / 2
const maxIdle = 8
/** The prelude keeps a handler to far fewer at once; one that gets by it is ended. */
const mostAtOnce = 256
/** Lines for the log that are passed on, and characters of one: somewhat more than the runtime writes, which says so when it leaves some out. */
const [mostLines, longestLine] = [1_002, 32 * 1024]
const nothing = '{"ok":true,"value":null}'

const mebibyte = 1024 * 1024
/** Mebibytes of the process with no isolate in it, generously, and how many times its memory each may add. */
const [ownMemory, timesMemory] = [256, 2]
const watchEvery = 100

// A function, so that nothing of it is within the handler's reach but what it gives. The import of types goes with the types.
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
  // Beyond this nothing in this process can be trusted to go on.
  const isolate = new ivm.Isolate({ memoryLimit: memory, onCatastrophicError: () => process.exit(brokenExit) })
  return { isolate, digest, memory, scripts: new Map(), calls: 0 }
}

/** @param clean whether nothing of the call can still be going on in it */
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
 * Texts go in and out as lists of one, and nothing comes back as the result of a promise: isolated-vm 7.0 never frees what it copies for such a result, and counts a bare text as
 * the isolate's memory for longer than it is. (Measured: 1 GB of answers cost 1 GB for good that way, and nothing this way.)
 */
const copied = { arguments: { copy: true } } as const

/** The prelude first: the handler's own code, from its first line, finds a world that is settled, and nothing of the host in it. */
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
    // It was told before it returned, and may be heard after.
    return await finish.promise
  } finally {
    if (!cell.isolate.isDisposed) context.release()
  }
}

function ask(call: number, op: string, body: string, then: (reply: string) => void): void {
  const own = running.get(call)
  if (!own) return
  // What it writes to its console is for nobody.
  if (own.limits.asks === 0) return then(nothing)
  if (op === 'log') return tellLine(call, own, body, then)
  own.asked += 1
  const excess = own.asked > own.limits.asks ? `${own.limits.asks} asks, and it asks for more` : excessOf(body, own.limits.text)
  if (excess !== null) return endForExcess(own, `It asked with ${excess}.`)
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
  const cut = { level: 'warn', message: `a line of ${body.length} characters is left out`, fields: {} }
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
    end = excess === null ? { kind: 'finished', body } : { kind: 'excess', message: `It ended with ${excess}.` }
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
// A terminal or a service manager signals all processes of a group. Ignore that: the parent ends this process when its calls have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {})
// The parent is gone. A plain exit would wait for code in the isolates, which may loop forever.
const dieAlone = (): void => void process.kill(process.pid, 'SIGKILL')
process.on('disconnect', dieAlone)
// That the parent is gone may be noticed by a message that cannot be sent, before anything else tells.
process.on('error', dieAlone)

// An isolate's limit is of its heap as its collector sees it; a single operation may want a multiple of it at once.
setInterval(() => {
  // Those that wait for their next call still hold what the last one left.
  const cells = [...idle, ...[...running.values()].map(({ cell }) => cell)]
  const allowed = cells.reduce((sum, { memory }) => sum + memory * timesMemory, ownMemory)
  if (process.memoryUsage.rss() > allowed * mebibyte) process.exit(memoryExit)
}, watchEvery)
