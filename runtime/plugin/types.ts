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

/** A loaded, validated and compiled plugin. Immutable. */
export interface Plugin {
  readonly id: string
  /** The digest of `text`. */
  readonly digest: Digest
  /** Canonical JSON of manifest and skills: the artifact that the store keeps and that runs pin. */
  readonly text: string
  readonly manifest: Manifest
  /** By skill id without the integration, such as `get_mailsec_issues`. */
  readonly skills: ReadonlyMap<string, Skill>
  /** An example of an output, by skill id. Skills without a recorded example have none. */
  readonly exampleOutputs: ReadonlyMap<string, Json>
}

export interface Manifest {
  readonly document: ManifestDocument
  /** Rendered with the root `credentials` (plain fields only). */
  readonly origins: readonly TextTemplate[]
  readonly request: {
    /** The credential field whose path precedes `basePath`. */
    readonly base: string | null
    /** Rendered with the roots `credentials` (plain fields only) and `detected`. */
    readonly basePath: TextTemplate
    readonly headers: Readonly<Record<string, string>>
    readonly timeout: Millis
    /** The time-out of a request that may change something. */
    readonly writeTimeout: Millis
    readonly maxAnswer: number
  }
  readonly retry: RetryRule | null
  /** The limit for each connection. Null if none is known. */
  readonly rateLimit: RateLimit | null
  readonly errors: readonly ErrorRow[]
  /** Null if the auth scheme uses no access tokens. */
  readonly token: TokenPlan | null
  /** What has to be detected at the external system for the base path. */
  readonly detect: readonly Detection[]
}

/** How to request access tokens, and how to tell that one has expired. */
export interface TokenPlan {
  /** Rendered with the root `credentials` (plain fields only). */
  readonly url: TextTemplate
  /**
   * How long to use a token if its answer does not say. Null: until an answer says that the token
   * has expired.
   */
  readonly lifetime: Millis | null
  /** A condition over `{status, headers, body, code, message}` of an answer. */
  readonly expired: Condition
  /** The error rows of the token endpoint. */
  readonly errors: readonly ErrorRow[]
}

/** Something to ask the external system before other requests can be made. */
export interface Detection {
  readonly name: string
  /** The plain credential field whose value is used instead of asking, if it has one. */
  readonly pinned: string | null
  /** Rendered with the root `credentials` (plain fields only). */
  readonly request: RequestPlan
  readonly auth: 'none' | null
  /** Rendered with the root `body`. */
  readonly select: ValueTemplate
  /** How long a detected value is used. */
  readonly keep: Millis
}

export interface RetryRule {
  /** The number of tries, including the first. */
  readonly attempts: number
  readonly backoff: 'constant' | 'exponential'
  readonly delay: Millis
  readonly maxDelay: Millis
  /** The error codes to retry. */
  readonly on: readonly string[]
}

/** Allows `requests` in each `interval`, and up to `burst` at once after a quiet time. */
export interface RateLimit {
  readonly requests: number
  readonly interval: Millis
  readonly burst: number
}

export interface Skill {
  readonly id: string
  readonly document: SkillDocument
  readonly impact: 'read' | 'write' | 'high'
  /** What a call acts on, rendered with the root `input`. Null if the skill names no target. */
  readonly target: ValueTemplate | null
  readonly does: SkillAct
  /** The inputs that say when something that a call sets will end. */
  readonly ends: readonly EndInput[]
  /**
   * Fills in defaults and checks an input. Returns a message for each value that does not fit the
   * schema, with the name of its field. Numbers and formats are checked; values are never
   * converted.
   */
  checkInput(input: Json): { readonly input: Json; readonly faults: readonly string[] }
  /** Like `checkInput`, with the path of each field. For input that may still be incomplete. */
  inputFaults(input: Json): readonly SchemaFault[]
  /** Compares an output with the schema: what breaks the contract, and what else does not match. */
  judgeOutput(given: Json): JudgedOutput
  /**
   * Returns everything in an output that does not fit the schema. For outputs that a person writes
   * in advance, which must fit completely.
   */
  checkOutput(output: Json): readonly string[]
  /** Converts the integers that the schema wants as strings. */
  exactOutput(output: Json): Json
  /** Returns the part of an output that the schema requires. It is kept if the output is too large. */
  contractualOutput(output: Json): Json
  /** How to tell the outcome of each item of a call. Null if the skill does not say. */
  readonly items: ItemResults | null
  /** Finds a part of the output that the input did not ask for. */
  readonly mismatch: MatchCheck
}

/** How a skill works: with one request (and its pages), or with code in an isolate. */
export type SkillAct = { readonly kind: 'request'; readonly plan: RequestPlan } | { readonly kind: 'handler'; readonly plan: HandlerPlan }

/** A skill's `handler`, with its code. */
export interface HandlerPlan {
  /** The time-out of the whole call. */
  readonly timeout: Millis
  /** The isolate's heap, in bytes. */
  readonly memory: number
  readonly maxRequests: number
  /** The most bytes of one streamed answer. */
  readonly maxStream: number
  /** The errors that `fail` may report, by code. */
  readonly errors: Readonly<Record<string, { readonly cause: string; readonly remedy: string }>>
  readonly bundle: Bundle
}
