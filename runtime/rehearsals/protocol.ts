import type { Json, Millis } from '../domain/index.ts'
import type { ErrorCode, ErrorPlace } from '../errors/index.ts'
import type { PlaybookFile, PlaybookSource } from '../playbook/index.ts'
import type { SentPlugin } from '../plugin/index.ts'
import type { Circumstances, Recording } from '../rehearsal/index.ts'

/** A playbook's text, and the sub-playbooks that it runs, directly or through others, by name. */
export interface RehearsedText {
  readonly playbook: PlaybookFile
  readonly sources: ReadonlyMap<string, PlaybookSource>
}

export interface TestTask extends RehearsedText {
  readonly kind: 'test'
  readonly tests: readonly PlaybookFile[]
}

export interface DryRunTask extends RehearsedText {
  readonly kind: 'dry_run'
  readonly alert: Circumstances['alert']
  readonly now: Millis
  /** The slots without a connection. */
  readonly unbound: readonly string[]
  /** YAML with answers by skill. Null if there are none. */
  readonly answers: string | null
  /** Whether to ask the runtime for reads. */
  readonly reads: boolean
}

export interface ReplayTask extends RehearsedText {
  readonly kind: 'replay'
  readonly recording: Recording
}

/** Makes a test from a recorded run. */
export interface RecordTask {
  readonly kind: 'record'
  readonly recording: Recording
  /** Values that must not be replaced by substitutes. */
  readonly keep: readonly string[]
}

export type RehearsalTask = (TestTask | DryRunTask | ReplayTask | RecordTask) & { readonly plugins: readonly SentPlugin[] }

/** A call that only reads, which a dry run asks for. */
export interface ReadCall {
  /** The slot, or `<sub-playbook>/<slot>`. */
  readonly slot: string
  readonly integration: string
  /** `<integration>.<skill>` */
  readonly skill: string
  readonly input: Json
}

export type RehearsalAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly places: readonly ErrorPlace[] }
