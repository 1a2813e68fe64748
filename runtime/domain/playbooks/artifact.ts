import type { Digest, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

export type ArtifactKind = 'playbook' | 'sub_playbook' | 'plugin'

/** A text that runs are made of, named by its digest. It never changes. */
export interface Artifact {
  readonly digest: Digest
  readonly kind: ArtifactKind
  /** The id of the playbook or the integration. */
  readonly name: string
  readonly text: string
  /** Null: every organization can use it. */
  readonly organization: OrganizationId | null
  readonly createdAt: Millis
}

/** Where an active artifact came from. It decides whether an import from a folder may replace it. */
type ActivationSource = 'folder' | 'edited' | 'generated'

/**
 * The active artifact of a place. A playbook's place is an organization (or shared) and an alert type. A
 * sub-playbook's is an organization (or shared) and its name. A plugin's is its integration id.
 * Changed only by compare-and-set on `revision`.
 */
export interface Activation {
  readonly kind: ArtifactKind
  readonly organization: OrganizationId | null
  /** The normalised alert type, the sub-playbook's name, or the integration's id. */
  readonly key: string
  readonly digest: Digest
  readonly name: string
  readonly source: ActivationSource
  /** Digest of the folder's text at its last import. Null if it was never imported. */
  readonly folderDigest: Digest | null
  /** 1 for the first activation. Rises with every change. */
  readonly revision: number
  readonly activatedAt: Millis
  /** Null: Tocsin itself, from a folder or because it generated the text. */
  readonly activatedBy: PrincipalId | null
  /** Whether nothing is active in this place any more. `digest` and `name` then tell what was active before. */
  readonly withdrawn: boolean
}
