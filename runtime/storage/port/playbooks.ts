import type { Activation, Artifact, ArtifactKind, Digest, Scope } from '../../domain/index.ts'

/** Content-addressed artifacts, and which of them are active. A shared artifact or activation is visible to every scope. */
export interface ArtifactStore {
  /** Storing the same digest again changes nothing. */
  put(scope: Scope, artifacts: readonly Artifact[]): Promise<void>
  get(scope: Scope, digest: Digest): Promise<Artifact | null>
  /** What stands in exactly this place (an organization's, or the shared one when it is null); a withdrawal too. */
  active(scope: Scope, place: ActivationPlace): Promise<Activation | null>
  /** Without what was withdrawn. */
  listActive(scope: Scope, kind: ArtifactKind): Promise<readonly Activation[]>
  /** Compare-and-set: `next.revision` is the standing revision + 1 (1 where there is none). Returns what stands now. */
  activate(scope: Scope, next: Activation): Promise<{ readonly activated: boolean; readonly standing: Activation }>
  /** Every activation the place ever had, newest first. */
  history(scope: Scope, place: ActivationPlace): Promise<readonly Activation[]>
}

export type ActivationPlace = Pick<Activation, 'kind' | 'organization' | 'key'>
