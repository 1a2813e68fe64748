import type { Json, PinnedConnection, RunId } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'

/** A write of the undone run. */
export interface UndoneWrite {
  /** Its address in that run. */
  readonly address: string
  /** `<integration>.<skill>`; null: the run began before that was kept. */
  readonly skill: string | null
  readonly target: string | null
  /** The connection's instance. */
  readonly connection: string | null
}

/** One call that takes a write back. */
export interface UndoStep {
  /** Its address in the run that undoes. */
  readonly id: string
  readonly undoes: UndoneWrite
  readonly integration: string
  readonly skill: string
  readonly impact: 'write' | 'high'
  readonly connection: PinnedConnection
  /** What it acts on, as the skill names it. */
  readonly targets: readonly string[]
  /** As it is sent. Data: whatever is in it, nothing of it is a template. */
  readonly input: Json
}

/** A write that is not taken back, and why. */
export interface NotUndone {
  readonly write: UndoneWrite
  readonly code: ErrorCode
  readonly message: string
}

/** What a run that undoes another does, fixed when it is asked for. */
export interface UndoDocument {
  readonly format: 1
  readonly run: RunId
  /** In the order in which they are sent: what was written last comes first. */
  readonly steps: readonly UndoStep[]
  readonly left: readonly NotUndone[]
}
