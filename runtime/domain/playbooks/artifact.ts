import type { Digest, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'

export type ArtifactKind = 'playbook' | 'sub_playbook' | 'plugin'

/** A piece of what runs are made of, named by the digest of its text; it never changes. */
export interface Artifact {
  readonly digest: Digest
  readonly kind: ArtifactKind
  /** The playbook's or the integration's id. */
  readonly name: string
  readonly text: string
  /** Null: usable by every organization. */
  readonly organization: OrganizationId | null
  readonly createdAt: Millis
}

/** Where an active artifact came from; decides whether a folder's import may replace it. */
type ActivationSource = 'folder' | 'edited' | 'generated'

/**
 * The one active artifact of a place: a playbook for (organization or shared, alert type), a sub-playbook for (organization or shared, its name), a plugin
 * for its integration id.
 * Changed by compare-and-set on `revision` only.
 */
export interface Activation {
  readonly kind: ArtifactKind
  readonly organization: OrganizationId | null
  /** The normalised alert type, the sub-playbook's name, or the integration's id. */
  readonly key: string
  readonly digest: Digest
  readonly name: string
  readonly source: ActivationSource
  /** What the folder held when it was last imported; null if it never was. */
  readonly folderDigest: Digest | null
  /** 1 for the first. */
  readonly revision: number
  readonly activatedAt: Millis
  /** Null: Tocsin itself, from a folder or because it generated it. */
  readonly activatedBy: PrincipalId | null
  /** True: nothing is active in this place any more. `digest` and `name` are of what was active before. */
  readonly withdrawn: boolean
}
