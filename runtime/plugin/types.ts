import type { Digest, Json, Millis } from '../domain/index.ts'
import type { Condition, TextTemplate, ValueTemplate } from '../expressions/index.ts'
import type { ItemResults } from './answer/items.ts'
import type { MatchCheck } from './answer/matches.ts'
import type { JudgedOutput } from './answer/output.ts'
import type { Bundle } from './bundle.ts'
import type { ManifestDocument, SkillDocument } from './grammar/index.ts'
import type { ErrorRow } from './manifest/error-row.ts'
import type { RequestPlan } from './request/request.ts'
import type { EndInput } from './schema/end-times.ts'
import type { SchemaFault } from './schema/schema.ts'

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
