/**
 * Runs inside the isolate, before the handler: makes what `published.ts` describes out of one function of the host. Plain ECMAScript and
 * no import but of types, because its text alone goes into the isolate. Nothing here is trusted by the host: it checks what it is asked.
 */
import type { Answer, CallError, HandlerCall, Http, Json, LogFields, PageOptions, RequestOptions, RequestPath } from '../published.ts'

/** Tells the host something; what it answers comes by `__tocsin_answer`, with the same number. Texts are in lists, see `child.ts`. */
interface HostReference {
  applyIgnored(receiver: undefined, args: readonly [number: number, op: string, body: readonly [string]], options: object): void
}

interface Start {
  readonly input: Readonly<Record<string, Json>>
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly call: { readonly key: string; readonly now: number }
}

interface Refusal {
  /** Which of the host's failures it is. */
  readonly index: number
  readonly code: string
  readonly message: string
  readonly status: number | null
  readonly body: Json
}

type Reply = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly refusal: Refusal }

declare const __tocsin_handler: { readonly default?: (call: HandlerCall<Start['input']>) => Promise<unknown> }

const { parse, stringify } = JSON
const copied = { arguments: { copy: true } }

/** A handler's own end: `fail`. */
class Failed extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const refusals = new WeakMap<object, number>()

function thrown({ index, code, message, status, body }: Refusal): CallError {
  const error = Object.assign(new Error(message), { name: 'CallError', code, status, body })
  refusals.set(error, index)
  return error
}

/** Makes whatever would differ from one run of the handler to the next be the same, or not be there. */
function settle(now: number): void {
  const System = Date
  const Settled = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (new.target === undefined) return new System(now).toString()
    return Reflect.construct(System, args.length === 0 ? [now] : args, new.target)
  }
  Settled.prototype = System.prototype
  Settled.now = () => now
  Settled.parse = System.parse
  Settled.UTC = System.UTC
  Object.defineProperty(System.prototype, 'constructor', { value: Settled })
  const global = globalThis as unknown as Record<string, unknown>
  global['Date'] = Settled
  Math.random = () => {
    throw new Error('A handler has no randomness; call.key is the same in every life of the call.')
  }
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry']) delete global[name]
}

function segment(value: string | number): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(`A path cannot have the segment ${stringify(text)}.`)
  return encodeURIComponent(text)
}

function path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): RequestPath {
  return literals.map((literal, at) => (at < values.length ? literal + segment(values[at] ?? '') : literal)).join('')
}

const waiting = new Map<number, (text: string) => void>()

function answer(number: number, [text]: readonly [string]): void {
  waiting.get(number)?.(text)
  waiting.delete(number)
}

async function run(host: HostReference, start: readonly [string]): Promise<void> {
  const tell = (number: number, op: string, text: string): void => host.applyIgnored(undefined, [number, op, [text]], copied)
  tell(0, 'end', await finish(tell, start))
}

async function finish(tell: (number: number, op: string, text: string) => void, [startText]: readonly [string]): Promise<string> {
  const { input, fields, call } = parse(startText) as Start
  settle(call.now)

  let asked = 0
  const ask = async (op: string, body: unknown): Promise<unknown> => {
    const number = ++asked
    const answered = new Promise<string>((resolve) => waiting.set(number, resolve))
    tell(number, op, stringify(body))
    const reply = parse(await answered) as Reply
    if (reply.ok) return reply.value
    throw thrown(reply.refusal)
  }

  const send = async <Body>(method: string, to: RequestPath, body: unknown, options: RequestOptions = {}): Promise<Answer<Body>> =>
    (await ask('request', { method, path: to, body, ...options })) as Answer<Body>

  async function* pages<Item>(to: RequestPath, { paginate, ...options }: PageOptions): AsyncGenerator<readonly Item[]> {
    let page: string | null = null
    let read = 0
    do {
      const asked = { request: { method: 'GET', path: to, ...options }, paginate, page, read }
      const got = (await ask('page', asked)) as { readonly items: readonly Item[]; readonly next: string | null }
      read += got.items.length
      yield got.items
      page = got.next
    } while (page !== null)
  }

  const http: Http = {
    get: (to, options) => send('GET', to, undefined, options),
    post: (to, body, options) => send('POST', to, body, options),
    put: (to, body, options) => send('PUT', to, body, options),
    patch: (to, body, options) => send('PATCH', to, body, options),
    delete: (to, options) => send('DELETE', to, undefined, options),
    pages,
    async getAll<Item>(to: RequestPath, { max, ...options }: PageOptions & { readonly max?: number }): Promise<Item[]> {
      const items: Item[] = []
      for await (const page of pages<Item>(to, options)) {
        for (const item of page) if (max === undefined || items.length < max) items.push(item)
        if (items.length === max) break
      }
      return items
    },
  }

  async function* rows<Row>(format: 'csv' | 'jsonl', to: RequestPath, options: RequestOptions = {}): AsyncGenerator<readonly Row[]> {
    const stream = await ask('open', { format, request: { method: 'GET', path: to, ...options } })
    try {
      for (;;) {
        const batch = (await ask('rows', { stream })) as readonly Row[] | null
        if (batch === null) return
        yield batch
      }
    } finally {
      await ask('close', { stream })
    }
  }

  const line =
    (level: string) =>
    (message: string, given: LogFields = {}): void => {
      // Nobody waits for a line of the log.
      ask('log', { level, message: String(message), fields: given }).catch(() => {})
    }
  const log = { debug: line('debug'), info: line('info'), warn: line('warn') }
  const console = Object.fromEntries(
    ['log', 'info', 'debug', 'warn', 'error', 'trace'].map((name) => [name, (...args: unknown[]) => log.debug(args.join(' '))]),
  )
  Object.defineProperty(globalThis, 'console', { value: console })

  const given: HandlerCall<Start['input']> = {
    input,
    fields,
    call,
    http,
    stream: { csv: (to, options) => rows('csv', to, options), jsonl: (to, options) => rows('jsonl', to, options) },
    log,
    sleep: async (milliseconds) => {
      await ask('sleep', { milliseconds })
    },
    path,
    fail: (code, message) => {
      throw new Failed(code, message)
    },
  }

  try {
    const handler = __tocsin_handler.default
    if (typeof handler !== 'function') throw new TypeError('The file has no default export that is a function.')
    return stringify({ kind: 'returned', output: (await handler(given)) ?? null })
  } catch (error) {
    const index = typeof error === 'object' && error !== null ? refusals.get(error) : undefined
    if (index !== undefined) return stringify({ kind: 'refused', index })
    if (error instanceof Failed) return stringify({ kind: 'failed', code: error.code, message: error.message })
    const { name = 'Error', message = '' } = error instanceof Error ? error : { message: String(error) }
    return stringify({ kind: 'threw', message: message === '' ? name : `${name}: ${message}` })
  }
}

Object.assign(globalThis, { __tocsin_run: run, __tocsin_answer: answer })
