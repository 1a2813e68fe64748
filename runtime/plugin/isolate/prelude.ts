/**
 * Runs inside the isolate, before the handler. Builds what `published.ts` describes from one
 * function of the host. Plain ECMAScript with type imports only, because just its text goes into
 * the isolate, as the body of a function that returns `begin` (`child.ts`). The host trusts nothing
 * here: it checks every ask.
 */
import type { Answer, CallError, HandlerCall, Http, Json, LogFields, PageOptions, RequestOptions, RequestPath } from '../published.ts'

interface HostReference {
  applyIgnored(receiver: undefined, args: readonly [number, string, readonly [string]], options: object): void
}

interface Start {
  readonly input: Readonly<Record<string, Json>>
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly call: { readonly key: string; readonly now: number }
}

interface Refusal {
  /** The index of the host's failure. */
  readonly index: number
  readonly code: string
  readonly message: string
  readonly status: number | null
  readonly retryAfter: number | null
  readonly body: Json
}

/** An answer from the host. If its body could not be read, it has `unreadable` instead of `body`. */
interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  readonly unreadable?: Refusal
}

type Reply = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly refusal: Refusal }

/** What the file of a handler exports. */
interface Exports {
  readonly default?: (call: HandlerCall<Start['input']>) => Promise<unknown>
}

const { parse, stringify } = JSON
// Objects without prototypes: the handler's code may have added members to `Object.prototype`, which
// would be read as options.
const bare = <T extends object>(members: T): T => Object.assign(Object.create(null), members) as T
const copied = bare({ arguments: bare({ copy: true }) })

/**
 * At most this many asks, with this many characters in all, are sent to the host at once.
 * Others wait here, where they count as the handler's memory.
 */
const [mostAsks, mostCharacters] = [32, 16 * 1024 * 1024]
/**
 * Asks that may lose values when they become JSON: they change nothing, and the handler needs
 * no reply.
 */
const lenient: readonly string[] = ['log', 'partial']
/** The longest error message, in characters. */
const maxMessage = 2_000

/** The handler ended the call with `fail`. */
class Failed extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A value, mostly of the input, that no path can have. */
class Unfit extends Error {}

const refusals = new WeakMap<object, number>()

function thrown({ index, code, message, status, retryAfter, body }: Refusal): CallError {
  const error = Object.assign(new Error(message), { name: 'CallError', code, status, retryAfter, body })
  refusals.set(error, index)
  return error
}

/**
 * Makes an answer for the handler. If the body could not be read, accessing it throws, so a handler
 * that needs only the status is not affected.
 */
function answerOf<Body>({ unreadable, ...answer }: Given): Answer<Body> {
  if (unreadable)
    Object.defineProperty(answer, 'body', {
      enumerable: true,
      get() {
        throw thrown(unreadable)
      },
    })
  return answer as Answer<Body>
}

/** Returns why `JSON.stringify` would silently change a value, or undefined if it would not. */
function inexact(holder: unknown, key: string, value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot represent`
  if (typeof value === 'function' || typeof value === 'symbol') return `is a ${typeof value}`
  if (value === undefined) return Array.isArray(holder) ? 'is undefined, in a list' : undefined
  const original = (holder as Readonly<Record<string, unknown>>)[key]
  if (original instanceof Date) return value === null ? 'is an invalid date' : undefined
  if (value instanceof Promise) return 'is a promise; `await` it'
  if (value instanceof Map || value instanceof Set) return `is a ${value instanceof Map ? 'Map' : 'Set'}; make an object or a list of it`
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return 'is bytes; only JSON and texts can be sent'
  if (value instanceof RegExp || value instanceof Error) return `is a ${value instanceof RegExp ? 'RegExp' : 'Error'}`
  return undefined
}

/** Like `JSON.stringify`, but throws if JSON cannot represent a value exactly. */
function exactJson(value: unknown, what: string): string {
  return stringify(value, function (this: unknown, key, part: unknown) {
    const fault = inexact(this, key, part)
    if (fault !== undefined) throw new TypeError(`${key === '' ? what : `\`${key}\` of ${what}`} ${fault}.`)
    return part
  })
}

/** Removes or fixes everything that would differ from one run of the handler to the next. */
function settle(clock: { readonly now: number }): void {
  const System = Date
  const Settled = function (this: unknown, ...args: readonly unknown[]): unknown {
    if (new.target === undefined) return new System(clock.now).toString()
    return Reflect.construct(System, args.length === 0 ? [clock.now] : args, new.target)
  }
  Settled.prototype = System.prototype
  Settled.now = () => clock.now
  Settled.parse = System.parse
  Settled.UTC = System.UTC
  Object.defineProperty(System.prototype, 'constructor', { value: Settled })
  const global = globalThis as unknown as Record<string, unknown>
  global['Date'] = Settled
  const { format } = Object.getOwnPropertyDescriptors(Intl.DateTimeFormat.prototype)
  const { formatToParts } = Intl.DateTimeFormat.prototype
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    get(this: Intl.DateTimeFormat) {
      const bound = format.get?.call(this) as Intl.DateTimeFormat['format']
      return (date: number | Date = clock.now) => bound(date)
    },
  })
  Intl.DateTimeFormat.prototype.formatToParts = function (date = clock.now) {
    return formatToParts.call(this, date)
  }
  Math.random = () => {
    throw new Error('A handler has no randomness. Use call.key, which stays the same if the call starts again.')
  }
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry']) delete global[name]
}

function segment(value: string | number | undefined): string {
  if (value === undefined) throw new TypeError('A path has no value where it needs one.')
  const text = String(value)
  if (text === '' || text === '.' || text === '..') throw new Unfit(`A value makes the path segment ${stringify(text)}. No record has such a name.`)
  if (!text.isWellFormed()) throw new Unfit('A value in the path contains half of a character (a lone surrogate), which is not allowed in a URL.')
  return encodeURIComponent(text)
}

function path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): RequestPath {
  return literals.map((literal, at) => (at < values.length ? literal + segment(values[at]) : literal)).join('')
}

/** Limits how many asks are with the host at once. Others wait their turn in order. */
function turnstile() {
  const waiting: { readonly size: number; readonly go: () => void }[] = []
  let [asks, characters] = [0, 0]
  let onIdle = (): void => {}
  const fits = (size: number): boolean => asks === 0 || (asks < mostAsks && characters + size <= mostCharacters)
  const take = (size: number): void => {
    asks += 1
    characters += size
  }
  return {
    enter(size: number): Promise<void> | undefined {
      if (waiting.length > 0 || !fits(size)) return new Promise((go) => void waiting.push({ size, go }))
      take(size)
      return undefined
    },
    leave(size: number): void {
      asks -= 1
      characters -= size
      for (let [next] = waiting; next && fits(next.size); [next] = waiting) {
        waiting.shift()
        take(next.size)
        next.go()
      }
      if (asks === 0) onIdle()
    },
    /** Resolves when all asks have been answered. */
    async idle(): Promise<void> {
      // An answer may lead to another ask some turns later.
      for (let quiet = 0; quiet < 16; quiet += 1) {
        if (asks > 0) {
          quiet = 0
          await new Promise<void>((resolve) => {
            onIdle = resolve
          })
        } else await undefined
      }
    },
  }
}

/** A batch of CSV: the names of the columns, and the values of each row. */
interface Table {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Each row gets own members, whatever they are called and whatever the handler has made of `Object.prototype`. */
function rowsOf<Row>({ names, rows }: Table): readonly Row[] {
  const pattern = parse(`{${names.map((name) => `${stringify(name)}:""`).join(',')}}`) as Record<string, string>
  return rows.map((values) => {
    const row = { ...pattern }
    for (let at = 0; at < names.length; at += 1) row[names[at] as string] = values[at] as string
    return row as Row
  })
}

/**
 * What the host uses of a context. Number 0 and what the call starts with begin the call. Later, a
 * number and the reply to this ask. Texts are lists of one (see `child.ts`).
 */
type Give = (number: number, text: readonly [string]) => void

/**
 * Prepares a context. Its call is not known yet.
 * @param load runs the handler's file, so not before the call begins
 */
function begin(host: HostReference, load: () => Exports): Give {
  const clock = { now: 0 }
  settle(clock)
  const { enter, leave, idle } = turnstile()
  const waiting = new Map<number, (text: string) => void>()
  const tell = (number: number, op: string, text: string): void => host.applyIgnored(undefined, [number, op, [text]], copied)
  let asked = 0

  const ask = async (op: string, body: unknown): Promise<unknown> => {
    const text = lenient.includes(op) ? stringify(body) : exactJson(body, 'what the handler asks for')
    const { length } = text
    if (length > mostCharacters) throw new RangeError(`One request to the host may have at most ${mostCharacters} characters.`)
    const wait = enter(length)
    if (wait) await wait
    let reply: Reply
    try {
      asked += 1
      const number = asked
      const answered = new Promise<string>((resolve) => waiting.set(number, resolve))
      tell(number, op, text)
      reply = parse(await answered) as Reply
    } finally {
      leave(length)
    }
    if (reply.ok) return reply.value
    throw thrown(reply.refusal)
  }

  const send = async <Body>(method: string, to: RequestPath, body: unknown, options: RequestOptions = {}): Promise<Answer<Body>> =>
    answerOf<Body>((await ask('request', { method, path: to, body, ...options })) as Given)

  let listings = 0
  async function* pages<Item>(to: RequestPath, { paginate, ...options }: PageOptions): AsyncGenerator<readonly Item[]> {
    listings += 1
    const listing = listings
    let page: string | null = null
    let read = 0
    do {
      const asked = { request: { method: 'GET', path: to, ...options }, paginate, page, read, listing }
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
    const more = (): Promise<unknown> => {
      const asked = ask('rows', { stream })
      // Nobody may be left who waits for it.
      asked.catch(() => {})
      return asked
    }
    try {
      for (let coming = more(); ; ) {
        const batch = (await coming) as Table | readonly Row[] | null
        if (batch === null) return
        // The next batch comes while the handler works on this one.
        coming = more()
        yield 'names' in batch ? rowsOf<Row>(batch) : batch
      }
    } finally {
      await ask('close', { stream })
    }
  }

  const line =
    (level: string) =>
    (message: string, given: LogFields = {}): void => {
      // Nobody waits for a log line.
      ask('log', { level, message: String(message), fields: given }).catch(() => {})
    }
  const log = { debug: line('debug'), info: line('info'), warn: line('warn') }
  const console = Object.fromEntries(
    ['log', 'info', 'debug', 'warn', 'error', 'trace'].map((name) => [name, (...args: unknown[]) => log.debug(args.join(' '))]),
  )
  Object.defineProperty(globalThis, 'console', { value: console })

  const given = ({ input, fields, call }: Start): HandlerCall<Start['input']> => ({
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
    partial: (output) => {
      // Nobody waits for it. The host handles it before any later ask.
      ask('partial', { output: output ?? null }).catch(() => {})
    },
    fail: (code, message) => {
      throw new Failed(code, message)
    },
  })

  const end = async (started: Start, { default: handler }: Exports): Promise<string> => {
    try {
      if (typeof handler !== 'function') throw new TypeError("The file's default export is not a function.")
      const output = exactJson((await handler(given(started))) ?? null, 'the output')
      // Asks that the handler did not await are still answered before the call ends.
      await idle()
      if (output.length > mostCharacters - 100) throw new RangeError(`The output is too large: ${output.length} characters.`)
      return `{"kind":"returned","output":${output}}`
    } catch (error) {
      const index = typeof error === 'object' && error !== null ? refusals.get(error) : undefined
      if (index !== undefined) return stringify({ kind: 'refused', index })
      if (error instanceof Failed) return stringify({ kind: 'failed', code: error.code, message: cut(error.message) })
      if (error instanceof Unfit) return stringify({ kind: 'unfit', message: cut(error.message) })
      const { name = 'Error', message = '' } = error instanceof Error ? error : { message: String(error) }
      return stringify({ kind: 'threw', message: cut(message === '' ? name : `${name}: ${message}`) })
    }
  }
  const run = async (started: Start, exported: Exports): Promise<void> => tell(0, 'end', await end(started, exported))
  return (number, text) => {
    if (number === 0) {
      const started = parse(text[0]) as Start
      clock.now = started.call.now
      // What the file throws ends the call.
      void run(started, load())
      return
    }
    waiting.get(number)?.(text[0])
    waiting.delete(number)
  }
}

function cut(text: unknown): string {
  return String(text).slice(0, maxMessage)
}

void begin
