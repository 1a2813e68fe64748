import type { OrganizationId, PauseId } from '../../../domain/index.ts'

/** A pause, with the fields that queries use. */
export interface PauseDocument {
  readonly _id: PauseId
  /** Null: it concerns all organizations. */
  readonly organization: OrganizationId | null
  readonly key: string
  /** Whether the pause is active. A unique index allows one active pause for each key. */
  readonly standing: boolean
  readonly pausedAt: number
  /** The whole pause as JSON. */
  readonly pause: string
}
