import type { Activation, Artifact, OrganizationId } from '../../../domain/index.ts'

/** The text of a playbook or plugin. */
export interface ArtifactDocument extends Artifact {
  /** Digest and owner. Two organizations may store the same text, and each has its own document. */
  readonly _id: { readonly digest: string; readonly organization: OrganizationId | null }
}

/**
 * One document for each activation. The one with the highest revision is active. The unique `_id` makes an
 * activation a compare-and-set.
 */
export interface ActivationDocument extends Activation {
  readonly _id: {
    readonly kind: string
    readonly organization: OrganizationId | null
    readonly key: string
    readonly revision: number
  }
}
