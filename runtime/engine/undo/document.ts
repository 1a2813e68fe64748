import type { Json, PinnedConnection, RunId } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'

/** A write of the undone run. */
export interface UndoneWrite {
  /** Its address in that run. */
  readonly address: string
  /** `<integration>.<skill>`. Null: the journal does not have it. */
  readonly skill: string | null
  readonly target: string | null
  /** Instance name of the connection. */
  readonly connection: string | null
}

/** A call that undoes one write. */
export interface UndoStep {
  /** Its address in the run that undoes. */
  readonly id: string
  readonly undoes: UndoneWrite
  readonly integration: string
  readonly skill: string
  readonly impact: 'write' | 'high'
  readonly connection: PinnedConnection
  /** Its targets, as the skill names them. */
  readonly targets: readonly string[]
  /** The input as it is sent. It is data: nothing in it is a template. */
  readonly input: Json
}

/** A write that is not undone, and why. */
export interface NotUndone {
  readonly write: UndoneWrite
  readonly code: ErrorCode
  readonly message: string
}

/** The plan of an undo, fixed when somebody asks for it. */
export interface UndoDocument {
  readonly format: 1
  readonly run: RunId
  /** In the order in which they are sent: the last write is undone first. */
  readonly steps: readonly UndoStep[]
  readonly left: readonly NotUndone[]
}
