import type { Digest, Effect, Json, Millis } from '../domain/index.ts'
import type { Condition, TextTemplate, ValueTemplate } from '../expressions/index.ts'
import type { ManifestDocument, SkillDocument } from './grammar/index.ts'
import type { RequestPlan } from './request.ts'

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
    /** Rendered with the root `credentials` (plain fields only). */
    readonly basePath: TextTemplate
    readonly headers: Readonly<Record<string, string>>
    readonly timeout: Millis
    readonly maxAnswer: number
  }
  readonly retry: RetryRule | null
  /** Per connection; null: none is known. */
  readonly rateLimit: RateLimit | null
  readonly errors: readonly ErrorRow[]
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

/** A row of the manifest's `errors`: the first whose condition holds over `{status, headers, body, method}` names the failure. */
export interface ErrorRow {
  readonly when: Condition
  readonly code: string
  readonly cause: string
  readonly remedy: string
  readonly effect: 'none' | 'unknown'
}

export interface Skill {
  readonly id: string
  readonly document: SkillDocument
  readonly impact: 'read' | 'write' | 'high'
  /** What is acted on; rendered with the root `input`. Null where the skill names no target. */
  readonly target: ValueTemplate | null
  readonly request: RequestPlan
  /** Messages of what does not fit the input schema, each naming its field; empty when it fits. Numbers and formats are checked, nothing is coerced; defaults are filled in. */
  checkInput(input: Json): { readonly input: Json; readonly faults: readonly string[] }
  checkOutput(output: Json): readonly string[]
  /** The output with the integers that its schema wants as text as texts. */
  exactOutput(output: Json): Json
}

/** A request as a skill describes it; the host makes the URL, signs it and sends it. */
export interface SkillRequest {
  readonly method: string
  /** Below the manifest's base path, every inserted value percent-encoded; or, from `next_url` paging, an absolute URL. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** From `next_url` paging: the page's address as the answer gave it, resolved against that of the rest of this request. */
  readonly next?: string
  /** `none`: sent without credentials. */
  readonly auth?: 'none'
}

export interface SkillAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed without loss when it is JSON, else the text. */
  readonly body: Json
}

/** What a skill's call needs of the host. */
export interface CallHost {
  /** The same however often this step is tried: `call.key` in templates. */
  readonly key: string
  /** The connection's plain fields: `credentials.<name>` in templates. Never a secret. */
  readonly fields: Readonly<Record<string, string | number | boolean>>
  send(request: SkillRequest): Promise<SendResult>
}

export type SendResult =
  | { readonly effect: 'done'; readonly answer: SkillAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code: string
      readonly message: string
      /** Seconds, where it is known when there is room again. */
      readonly retryAfter?: number
    }

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly remedy: string | null
  /** Seconds the vendor asked to wait (Retry-After), if it did. */
  readonly retryAfter: number | null
  readonly vendor?: Readonly<Record<string, string | number>>
}

export type CallResult =
  | { readonly ok: true; readonly output: Json }
  /** `effect` of the whole call on the outside world. */
  | { readonly ok: false; readonly effect: Effect; readonly failure: CallFailure }
