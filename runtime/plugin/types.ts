import type { Clock, Digest, Effect, Json, Millis, TurnedAway, Unchanged } from '../domain/index.ts'
import type { Condition, TextTemplate, ValueTemplate } from '../expressions/index.ts'
import type { Turns } from '../fairness/index.ts'
import type { EndInput } from './ends.ts'
import type { ManifestDocument, SkillDocument } from './grammar/index.ts'
import type { Acts } from './handler/acts.ts'
import type { Isolates } from './isolate/pool.ts'
import type { ItemResults } from './items.ts'
import type { MatchCheck } from './matches.ts'
import type { JudgedOutput } from './output.ts'
import type { RequestPlan } from './request.ts'
import type { SchemaFault } from './schema.ts'

/** A loaded, validated, compiled plugin. Immutable. */
export interface Plugin {
  readonly id: string
  /** Digest of `text`. */
  readonly digest: Digest
  /** Canonical JSON of manifest and skills: the artifact that the store keeps and runs pin. */
  readonly text: string
  readonly manifest: Manifest
  /** By skill id without the integration: `get_mailsec_issues`. */
  readonly skills: ReadonlyMap<string, Skill>
}

export interface Manifest {
  readonly document: ManifestDocument
  /** Rendered with the root `credentials` (plain fields only). */
  readonly origins: readonly ValueTemplate[]
  readonly request: {
    /** The credential field whose path comes before `basePath`. */
    readonly base: string | null
    /** Rendered with the roots `credentials` (plain fields only) and `detected`. */
    readonly basePath: TextTemplate
    readonly headers: Readonly<Record<string, string>>
    readonly timeout: Millis
    /** Of a request that may change something. */
    readonly writeTimeout: Millis
    readonly maxAnswer: number
  }
  readonly retry: RetryRule | null
  /** Per connection; null: none is known. */
  readonly rateLimit: RateLimit | null
  readonly errors: readonly ErrorRow[]
  /** Null: the auth scheme uses no access tokens. */
  readonly token: TokenPlan | null
  /** What the base path needs to know of the external system. */
  readonly detect: readonly Detection[]
}

/** How access tokens are asked for, and when one is no longer good. */
export interface TokenPlan {
  /** Rendered with the root `credentials` (plain fields only). */
  readonly url: TextTemplate
  /** How long a token is used whose answer does not say; null: until an answer says that it is no longer good. */
  readonly lifetime: Millis | null
  /** Over `{status, headers, body, code, message}` of an answer. */
  readonly expired: Condition
  /** The token endpoint's. */
  readonly errors: readonly ErrorRow[]
}

/** Something that is asked of the external system before other requests can be made. */
export interface Detection {
  readonly name: string
  /** The plain credential field whose value is taken instead, where it has one. */
  readonly pinned: string | null
  /** Rendered with the root `credentials` (plain fields only). */
  readonly request: RequestPlan
  readonly auth: 'none' | null
  /** Rendered with the root `body`. */
  readonly select: ValueTemplate
  /** How long what was found out is used. */
  readonly keep: Millis
}

export interface RetryRule {
  /** Tries in all, the first included. */
  readonly attempts: number
  readonly backoff: 'constant' | 'exponential'
  readonly delay: Millis
  readonly maxDelay: Millis
  /** Error codes. */
  readonly on: readonly string[]
}

/** `requests` in `interval`, and up to `burst` at once while there was quiet before. */
export interface RateLimit {
  readonly requests: number
  readonly interval: Millis
  readonly burst: number
}

/** A row of the manifest's `errors`: the first whose condition holds over `{status, headers, body, code, message, method, path}` names the failure. */
export interface ErrorRow {
  readonly when: Condition
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
  /** `role`: the credentials may not do this. */
  readonly lacks?: 'role' | undefined
}

export interface Skill {
  readonly id: string
  readonly document: SkillDocument
  readonly impact: 'read' | 'write' | 'high'
  /** What is acted on; rendered with the root `input`. Null where the skill names no target. */
  readonly target: ValueTemplate | null
  readonly does: SkillAct
  /** The inputs that say when what a call sets ends. */
  readonly ends: readonly EndInput[]
  /** Messages of what does not fit the input schema, each naming its field; empty when it fits. Numbers and formats are checked, nothing is coerced; defaults are filled in. */
  checkInput(input: Json): { readonly input: Json; readonly faults: readonly string[] }
  /** The same with the field of each, for who checks an input before it is whole. */
  inputFaults(input: Json): readonly SchemaFault[]
  /** How an output that an external system's answer was made into fits the schema: what breaks the contract, and what else is odd. */
  judgeOutput(given: Json): JudgedOutput
  /** Everything of an output that does not fit the schema, in words: what somebody writes down beforehand must fit wholly. */
  checkOutput(output: Json): readonly string[]
  /** The output with the integers that its schema wants as text as texts. */
  exactOutput(output: Json): Json
  /** The part of an output that the schema requires: what is left of one that is too large. */
  contractualOutput(output: Json): Json
  /** What became of each thing that a call is about; null: the skill does not say. */
  readonly items: ItemResults | null
  /** What of an output was not asked for. */
  readonly mismatch: MatchCheck
}

/** How a skill does what it does: by one request, with its pages, or by code in an isolate. */
export type SkillAct = { readonly kind: 'request'; readonly plan: RequestPlan } | { readonly kind: 'handler'; readonly plan: HandlerPlan }

/** A skill's `handler`, and its code. */
export interface HandlerPlan {
  /** Of the whole call. */
  readonly timeout: Millis
  /** Bytes of the isolate's heap. */
  readonly memory: number
  readonly maxRequests: number
  /** Bytes of one streamed answer. */
  readonly maxStream: number
  /** What `fail` may end with, by code. */
  readonly errors: Readonly<Record<string, { readonly cause: string; readonly remedy: string }>>
  readonly bundle: Bundle
}

/** A handler with all that it imports, as one script. */
export interface Bundle {
  readonly digest: Digest
  readonly text: string
}

/** A request as a skill describes it; the host makes the URL, signs it and sends it. */
export interface SkillRequest {
  readonly method: string
  /** Below the manifest's base path (or the origin, see `base`), every inserted value percent-encoded; or, from `next_url` paging, an absolute URL. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** From `next_url` paging: the page's address as the answer gave it, resolved against that of the rest of this request. */
  readonly next?: string
  /** `none`: sent without credentials. */
  readonly auth?: 'none'
  /** `none`: below the origin, without the manifest's base path. */
  readonly base?: 'none'
}

export interface SkillAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed without loss when it is JSON, else the text. */
  readonly body: Json
  /** Answers are signed, and nobody vouches for this one: that something was done is not believed of it. */
  readonly unvouched?: 'unsigned' | 'for_another'
  /** Why the body could not be read: its charset, its compression, its size, or JSON that was cut off. */
  readonly fault?: string
  /** The first field that an object of the body has twice (`rows.*.status`). The body has its last value. */
  readonly repeated?: string
}

/** What a skill's call needs of the host. */
export interface CallHost {
  /** The same however often this step is tried: `call.key` in templates. */
  readonly key: string
  /** The connection's plain fields: `credentials.<name>` in templates. Never a secret. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  /** @param sendBy a write must not leave after this time, if that differs from the call's */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  /** Called with the outcome of each request, as the manifest judges its answer. */
  readonly heard?: (outcome: HeardRequest) => void
}

/** The outcome of one request; null: it succeeded. */
export type HeardRequest = { readonly effect: Effect; readonly failure: CallFailure } | null

/** What a handler's call needs besides. */
export interface HandlerHost extends CallHost {
  readonly isolates: Isolates
  /** For whom it is: slots for handlers and turns of the event loop are shared by this. An organization; empty where there is none. */
  readonly owner: string
  readonly turns: Turns
  readonly acts: Acts
  readonly clock: Clock
  /** For the whole call, from the start of its handler. */
  readonly timeout: Millis
  /** The longest wait before a retry of a request within the call, for a skill that reads; null: no retries. */
  readonly patience: Millis | null
  /** Aborted when no one waits for the call any more. */
  readonly signal: AbortSignal
  /** Reads an answer of up to `maxBytes` as it comes. */
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
  log(level: 'debug' | 'info' | 'warn', message: string, fields: Readonly<Record<string, Json>>): void
}

/** An answer that is being read: its status and headers, and the rest as it comes. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Rejects with a TocsinError (`network`, `call_timeout`, `answer_too_large`) when the rest does not come. */
  readonly body: AsyncIterable<Uint8Array>
  /** Gives up the rest, whether or not reading has begun. */
  cancel(): void
  /** JSON of what was read, without the connection's secrets. */
  clean(json: string): string
}

export type StreamResult =
  | { readonly effect: 'done'; readonly answer: StreamedAnswer }
  /** The answer is no success; it was read whole. */
  | { readonly effect: 'done'; readonly refusal: SkillAnswer }
  | Exclude<SendResult, { effect: 'done' }>

export type SendResult =
  | { readonly effect: 'done'; readonly answer: SkillAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code: string
      readonly message: string
      /** Seconds, where it is known when there is room again. */
      readonly retryAfter?: number
      /** In place of the registry's. */
      readonly remedy?: string | null
      readonly vendor?: Readonly<Record<string, string | number>>
      readonly turnedAway?: TurnedAway
      /** Its turn came, but it got no connection in time. It may take another turn. */
      readonly turnPassed?: true
    }

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Seconds the vendor asked to wait (Retry-After), if it did. */
  readonly retryAfter: number | null
  readonly vendor?: Readonly<Record<string, string | number>>
  /** A retry was possible, but its wait was too long for the handler. The caller may wait and retry. */
  readonly unwaited?: true
  /** It was not sent, but may be sent later. The call is not at fault. */
  readonly turnedAway?: TurnedAway
}

export type CallResult =
  /** `changed` of a write: where it is not sure that it changed anything. `warnings`: what of the output is odd. `unsigned`: nobody vouches for it. */
  | { readonly ok: true; readonly output: Json; readonly changed?: Unchanged; readonly warnings?: readonly string[]; readonly unsigned?: true }
  /** `effect` of the whole call on the outside world. */
  | {
      readonly ok: false
      readonly effect: Effect
      readonly failure: CallFailure
      /** As much of the output as is known: of a bulk, what became of each item. Absent: nothing is. */
      readonly output?: Json
      readonly warnings?: readonly string[]
      /** Of a handler that failed after some of its requests had been answered: those that may have changed something. */
      readonly requests?: readonly AnsweredRequest[]
    }

/** A request of a handler that was answered. */
export interface AnsweredRequest {
  /** `POST /things` */
  readonly request: string
  readonly status: number
  /** What was answered; null where all of them together are too large to be told. */
  readonly body: Json
}
