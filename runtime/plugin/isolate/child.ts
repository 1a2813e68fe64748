/**
 * The process of the isolates. It has no secret, no environment and, by Node's permission model, no files but its own code: what breaks
 * out of an isolate finds nothing here. One isolate serves one call at a time, each in a context of its own.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'
import type { FromIsolates, IsolateEnd, ToIsolates } from './protocol.ts'

type Run = Extract<ToIsolates, { kind: 'run' }>

/** An isolate that waits for its next call. */
interface Room {
  readonly isolate: ivm.Isolate
  readonly memory: number
  readonly scripts: Map<string, ivm.Script>
  calls: number
}

/** Some garbage stays in every isolate; after so many calls another takes its place. */
const callsOfRoom = 200
const maxIdle = 8

// The import of types goes with the types; what is left is a script.
const prelude = stripTypeScriptTypes(readFileSync(new URL('./prelude.ts', import.meta.url), 'utf8'), { mode: 'strip' })

const scripts = new Map<string, string>()
const idle: Room[] = []
const running = new Map<number, { readonly room: Room; stopped: boolean }>()
const asked = new Map<string, (body: string) => void>()
let asks = 0

function say(message: FromIsolates): void {
  process.send?.(message)
}

function roomFor(memory: number): Room {
  const at = idle.findIndex((room) => room.memory === memory)
  const [room] = at < 0 ? [] : idle.splice(at, 1)
  if (room) return room
  // Beyond this nothing in this process can be trusted to go on.
  const isolate = new ivm.Isolate({ memoryLimit: memory, onCatastrophicError: () => process.exit(70) })
  return { isolate, memory, scripts: new Map(), calls: 0 }
}

function leave(room: Room): void {
  if (room.isolate.isDisposed) return
  room.calls += 1
  if (room.calls < callsOfRoom && idle.length < maxIdle) idle.push(room)
  else room.isolate.dispose()
}

async function scriptOf(room: Room, name: string, text: string): Promise<ivm.Script> {
  const standing = room.scripts.get(name)
  if (standing) return standing
  const script = await room.isolate.compileScript(text, { filename: name })
  room.scripts.set(name, script)
  return script
}

/**
 * Texts go in and out as lists of one, and nothing comes back as the result of a promise: isolated-vm 7.0 never frees what it copies for such a result, and counts a bare text as
 * the isolate's memory for longer than it is. (Measured: 1 GB of answers cost 1 GB for good that way, and nothing this way.)
 */
const copied = { arguments: { copy: true } } as const

async function inRoom(room: Room, { call, digest, start }: Run): Promise<string> {
  const context = await room.isolate.createContext()
  try {
    await (await scriptOf(room, 'prelude', prelude)).run(context)
    const answer = (await context.global.get('__tocsin_answer', { reference: true })) as ivm.Reference<(number: number, text: [string]) => void>
    await (await scriptOf(room, digest, scripts.get(digest) ?? '')).run(context)
    const finish = Promise.withResolvers<string>()
    const host = new ivm.Reference((number: unknown, op: unknown, body: unknown) => {
      const [text] = Array.isArray(body) ? body : []
      if (op === 'end') finish.resolve(String(text))
      else ask(call, String(op), String(text), (reply) => answer.applyIgnored(undefined, [Number(number), [reply]], copied))
    })
    await context.evalClosure('return __tocsin_run($0, $1)', [host, [start]], { ...copied, result: { promise: true } })
    // It was told before it returned, and may be heard after.
    return await finish.promise
  } finally {
    if (!room.isolate.isDisposed) context.release()
  }
}

function ask(call: number, op: string, body: string, then: (reply: string) => void): void {
  const id = ++asks
  asked.set(`${call}/${id}`, then)
  say({ kind: 'ask', call, ask: id, op, body })
}

async function run(message: Run): Promise<void> {
  const { call, digest, script, memory } = message
  if (script !== undefined) scripts.set(digest, script)
  const room = roomFor(memory)
  const state = { room, stopped: false }
  running.set(call, state)
  let end: IsolateEnd
  try {
    end = { kind: 'finished', body: await inRoom(room, message) }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (state.stopped) end = { kind: 'stopped' }
    else if (room.isolate.isDisposed) end = { kind: 'memory' }
    else end = { kind: 'broken', message: text }
  }
  running.delete(call)
  for (const key of asked.keys()) if (key.startsWith(`${call}/`)) asked.delete(key)
  leave(room)
  say({ kind: 'ended', call, end })
}

function stop(call: number): void {
  const state = running.get(call)
  if (!state || state.room.isolate.isDisposed) return
  state.stopped = true
  state.room.isolate.dispose()
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
      const key = `${message.call}/${message.ask}`
      asked.get(key)?.(message.body)
      asked.delete(key)
    }
  }
})
// Who it works for is gone. An exit would wait for what runs in the isolates, which may be a loop without end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
