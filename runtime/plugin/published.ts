/**
 * The module `@tocsin/plugin`: the types that a skill's handler works with.
 *
 * A handler runs in an isolate without network, files, environment, timers, randomness, wall
 * clock or secrets. The host gives it everything it needs as the argument of its call.
 *
 * A handler may run again from the beginning, for example after a crash. Requests and waits that
 * it has already made are then answered from the journal, not made again.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * A value of a query parameter or header. `undefined` and `null` are left out. A list is sent once
 * for each item.
 */
export type Parameter = string | number | boolean | null | undefined | readonly (string | number | boolean)[]

/** A path below the connection's base. Make it with `path` if it contains values. */
export type RequestPath = string

export interface RequestOptions {
  readonly query?: Readonly<Record<string, Parameter | Json>>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * What the path is relative to. `api` (the default): the manifest's `base_path`. `origin`: the
   * connection's origin. With `origin` the path may also be a URL from an answer, even an absolute
   * one; it is refused if it leads to any other origin than the connection's.
   */
  readonly base?: 'api' | 'origin'
  /** The statuses that count as success. Default: any 2xx. */
  readonly expect?: readonly number[]
  /** `none`: send the request without credentials. */
  readonly auth?: 'none'
}

/**
 * The answer to a request.
 * @typeParam Body the type that the vendor documents. It is not checked, but the skill's output is
 * checked against its schema
 */
export interface Answer<Body = Json> {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The parsed value if the body is JSON (integers beyond 2^53 as strings), otherwise the text.
   * Empty if there is no body. If the body is not text, or its charset is not declared, accessing
   * it throws a `CallError` with the code `answer_not_understood`.
   */
  readonly body: Body
}

/** Thrown if a request could not be sent, or its answer is not a success. A handler may catch it. */
export interface CallError extends Error {
  /** An error code of the manifest's error rows, or one of Tocsin's own. */
  readonly code: string
  /** The status of the answer. Null if there was none. */
  readonly status: number | null
  /**
   * How many seconds the system asked to wait (Retry-After). Null if it did not ask. A `sleep` that
   * is longer than the rest of the call ends the call with this error.
   */
  readonly retryAfter: number | null
  /** The body of the answer. Null if there was none. */
  readonly body: Json
}

/**
 * How to get from one page to the next, as `paginate` in a skill's YAML. `manifest`: as the
 * manifest's `request.paginate` says.
 */
export type Paginate =
  | 'manifest'
  | { readonly kind: 'cursor'; readonly send: string; readonly next: string; readonly more?: string; readonly total?: string; readonly items: string }
  | {
      readonly kind: 'token'
      readonly send: string
      readonly next: string
      readonly more: string
      readonly offset?: string
      readonly total?: string
      readonly items: string
    }
  | { readonly kind: 'next_url'; readonly next: string; readonly more?: string; readonly total?: string; readonly items: string }
  | { readonly kind: 'link'; readonly total?: string; readonly items?: string }
  | { readonly kind: 'offset'; readonly send: string; readonly more?: string; readonly total?: string; readonly items: string }

export interface PageOptions extends RequestOptions {
  readonly paginate: Paginate
}

/**
 * Sends requests to the connection's own origins. The host authenticates them and keeps to the rate
 * limit. In a skill that only reads, it also retries them as the manifest says.
 */
export interface Http {
  get<Body = Json>(path: RequestPath, options?: RequestOptions): Promise<Answer<Body>>
  /**
   * Sends the body as JSON. With a `content-type` that is not JSON, the body must be a string,
   * which is sent unchanged.
   */
  post<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  put<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  patch<Body = Json>(path: RequestPath, body?: unknown, options?: RequestOptions): Promise<Answer<Body>>
  delete<Body = Json>(path: RequestPath, options?: RequestOptions): Promise<Answer<Body>>
  /** Gets a list page by page. Yields the items of each page. */
  pages<Item = Readonly<Record<string, Json>>>(path: RequestPath, options: PageOptions): AsyncIterable<readonly Item[]>
  /** Gets the items of all pages, or the first `max` items. */
  getAll<Item = Readonly<Record<string, Json>>>(path: RequestPath, options: PageOptions & { readonly max?: number }): Promise<Item[]>
}

/**
 * Reads large answers in batches of rows, without holding the whole answer in memory. Only for
 * skills that read.
 */
export interface Stream {
  /** Reads CSV. Each row is an object with the names from the first line. */
  csv(path: RequestPath, options?: RequestOptions): AsyncIterable<readonly Readonly<Record<string, string>>[]>
  /** Reads one JSON value per line. */
  jsonl<Row = Json>(path: RequestPath, options?: RequestOptions): AsyncIterable<readonly Row[]>
}

export type LogFields = Readonly<Record<string, Json | undefined>>

/** Writes to Tocsin's log. Use it to show the progress of a long call. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
}

export interface HandlerCall<Input> {
  /** The input. It fits the skill's input schema, and defaults are filled in. */
  readonly input: Input
  /** The connection's plain credential fields. Secrets are never here. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  readonly http: Http
  readonly stream: Stream
  readonly log: Log
  /**
   * Waits for this many milliseconds. If the handler runs again after a crash, completed waits are
   * skipped.
   */
  sleep(milliseconds: number): Promise<void>
  /**
   * Makes a path. Each value becomes one segment, percent-encoded. Empty values, `.`, `..` and half
   * characters fail the call as `skill_input_invalid`.
   * Example: path`/users/${id}/devices`
   */
  path(literals: TemplateStringsArray, ...values: readonly (string | number)[]): RequestPath
  /**
   * Reports the part of the output that is known so far. If the call fails later, the last report
   * is kept. A bulk change can report the outcome of its first request this way before it sends the
   * second.
   */
  partial(output: unknown): void
  /** Ends the call with an error that the skill declares under `handler.errors`. */
  fail(code: string, message: string): never
  readonly call: {
    /** An id of the call that stays the same over all its tries. Use it as an idempotency key. */
    readonly key: string
    /** When the call began, in epoch milliseconds. It stays the same if the handler runs again. */
    readonly now: number
  }
}

/** The type of the default export of `skills/<id>.ts`. */
export type Handler<Input = Readonly<Record<string, Json | undefined>>> = (call: HandlerCall<Input>) => Promise<unknown>
