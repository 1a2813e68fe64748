import type { Activation, Artifact, ArtifactKind, Digest, Scope } from '../../domain/index.ts'

/**
 * Artifacts, named by the digest of their content, and which of them are active. Every scope sees shared
 * artifacts and activations.
 */
export interface ArtifactStore {
  /**
   * Stores artifacts. Storing the same digest again changes nothing.
   * @throws TocsinError `organization_forbidden`
   */
  put(scope: Scope, artifacts: readonly Artifact[]): Promise<void>
  get(scope: Scope, digest: Digest): Promise<Artifact | null>
  /**
   * Returns the latest activation of exactly this place: an organization's, or the shared place if
   * `organization` is null. It may be a withdrawal. Null if the place never had an activation.
   */
  active(scope: Scope, place: ActivationPlace): Promise<Activation | null>
  /**
   * Returns the active artifacts of all places in scope and of the shared places. Leaves out places whose
   * latest activation is a withdrawal. Sorts by key.
   */
  listActive(scope: Scope, kind: ArtifactKind): Promise<readonly Activation[]>
  /**
   * Activates or withdraws an artifact. Succeeds only if `next.revision` is the stored revision + 1 (1 for
   * the first activation of the place). `standing` is the latest activation afterwards.
   * @throws TocsinError `organization_forbidden`
   */
  activate(scope: Scope, next: Activation): Promise<{ readonly activated: boolean; readonly standing: Activation }>
  /** Returns every activation and withdrawal of the place, newest first. */
  history(scope: Scope, place: ActivationPlace): Promise<readonly Activation[]>
}

export type ActivationPlace = Pick<Activation, 'kind' | 'organization' | 'key'>
