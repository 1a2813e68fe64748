import type { Binary } from 'mongodb'
import type { RunId } from '../../../domain/index.ts'

/** A large output of a run. */
export interface OutputDocument {
  readonly _id: { readonly run: RunId; readonly name: string }
  /** The JSON, if it fits into one document. If not, `parts` names its parts. */
  readonly json?: string
  readonly parts?: { readonly of: string; readonly count: number }
}

/** A part of an output that does not fit into one document. */
export interface OutputPartDocument {
  readonly _id: { readonly of: string; readonly part: number }
  readonly bytes: Binary
}
