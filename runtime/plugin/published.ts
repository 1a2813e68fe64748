/**
 * What a skill's handler sees: the module `@tocsin/plugin`. Types only; at run time the host gives a handler all of this as the argument
 * of its call. A handler runs in an isolate without network, files, environment, timers, randomness, wall clock or secrets, and may run
 * again from the beginning: then what it had done is answered from the journal.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A value of a query or header; what is undefined or null is left out, a list is sent once for each item. */
export type Parameter = string | number | boolean | null | undefined | readonly (string | number | boolean)[]

/** A path below the connection's base, made by `path` where a value is in it. */
export type RequestPath = string

export interface RequestOptions {
  readonly query?: Readonly<Record<string, Parameter | Json>>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * `api`, if absent: below the manifest's `base_path`. `origin`: below the connection's origin; also for an address that an answer gave,
   * which may be whole, and is refused when it leads elsewhere than to the connection's origins.
   */
  readonly base?: 'api' | 'origin'
  /** The statuses that are success; any 2xx if absent. */
  readonly expect?: readonly number[]
  /** `none`: sent without credentials. */
  readonly auth?: 'none'
}

/** @typeParam Body what the vendor documents; nothing checks it but the skill's output schema at the end */
export interface Answer<Body = Json> {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The parsed value if it is JSON (integers beyond 2^53 as texts), otherwise the text; empty if there is no body. Accessing a body that is
   * not text, or whose charset is not declared, throws a `CallError` `answer_not_understood`.
   */
  readonly body: Body
}

/** Thrown by requests whose answer is no success, or that could not be sent. A handler may catch it. */
export interface CallError extends Error {
  /** Of the manifest's error rows or the registry. */
  readonly code: string
  /** Of the answer; null when there was none. */
  readonly status: number | null
  /** How many seconds the system asked to wait (Retry-After); null: it did not ask. If the call has less time left, waiting that long ends it with this error. */
  readonly retryAfter: number | null
  /** The answer's body; null when there was none. */
  readonly body: Json
}

/** How pages follow each other: as `paginate` in YAML; `manifest`: as the manifest's `request.paginate` says. */
export type Paginate =
  | 'manifest'
  | { readonly kind: 'cursor'; readonly send: string; readonly next: string; readonly more?: string; readonly items: string }
  | { readonly kind: 'token'; readonly send: string; readonly next: string; readonly more: string; readonly items: string }
  | { readonly kind: 'next_url'; readonly next: string; readonly more?: string; readonly items: string }
  | { readonly kind: 'offset'; readonly send: string; readonly more?: string; readonly total?: string; readonly items: string }

export interface PageOptions extends RequestOptions {
  readonly paginate: Paginate
}

/** Requests to the connection's own origins, authenticated and paced by the host; in a skill that reads also tried again as the manifest says. */
export interface Http {
  get<Body = Json>(path: RequestPath, options?: RequestOptions): Promise<Answer<Body>>
  /** Sends the body as JSON. With a `content-type` that is not JSON, the body must be a text, which is sent unchanged. */
  post<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  put<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  patch<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  delete<Body = Json>(path: RequestPath, options?: RequestOptions): Promise<Answer<Body>>
  /** The items of one page after another. */
  pages<Item = Readonly<Record<string, Json>>>(path: RequestPath, options: PageOptions): AsyncIterable<readonly Item[]>
  /** The items of all pages, or the first `max`. */
  getAll<Item = Readonly<Record<string, Json>>>(path: RequestPath, options: PageOptions & { readonly max?: number }): Promise<Item[]>
}

/** Large answers as batches of rows: their size never becomes memory. For skills that read. */
export interface Stream {
  /** Rows of a CSV by the names of its first line. */
  csv(path: RequestPath, options?: RequestOptions): AsyncIterable<readonly Readonly<Record<string, string>>[]>
  /** One JSON value a line. */
  jsonl<Row = Json>(path: RequestPath, options?: RequestOptions): AsyncIterable<readonly Row[]>
}

export type LogFields = Readonly<Record<string, Json | undefined>>

/** Lines in the runtime's log; how a long call shows its progress. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
}

export interface HandlerCall<Input> {
  /** Fits the skill's input schema, defaults filled in. */
  readonly input: Input
  /** The connection's plain credential fields. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly http: Http
  readonly stream: Stream
  readonly log: Log
  /** Waits so many milliseconds; what has passed before a crash is not waited again. */
  sleep(milliseconds: number): Promise<void>
  /** A path whose values are each one segment, percent-encoded. An empty one, `.` and `..` are refused. */
  path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): RequestPath
  /**
   * Tells as much of the output as is known by now. If the call fails later, this is kept: a bulk that fails in its second request has told
   * what became of the first. What is told last counts.
   */
  partial(output: unknown): void
  /** Ends the call with an error that the skill declares under `handler.errors`. */
  fail(code: string, message: string): never
  readonly call: {
    /** The same however often the step is tried. */
    readonly key: string
    /** When the call began, epoch milliseconds; the same in every life of the run. */
    readonly now: number
  }
}

/** What `skills/<id>.ts` exports as its default. */
export type Handler<Input = Readonly<Record<string, Json | undefined>>> = (call: HandlerCall<Input>) => Promise<unknown>
