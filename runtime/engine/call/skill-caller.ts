import type { Json, Millis, OrganizationId, PinnedConnection, RunId } from '../../domain/index.ts'
import type { Acts, CallResult, Plugin, Skill } from '../../plugin/index.ts'

/** A call of a skill. */
export interface SkillCall {
  readonly organization: OrganizationId
  /** Names of the run's playbook and of the sub-playbooks that the step is in. */
  readonly playbooks: readonly string[]
  readonly connection: PinnedConnection
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  /** The same for each try of the step. */
  readonly key: string
  /** The run that calls; runs share a connection's rate limit fairly. Absent: no run calls. */
  readonly run?: RunId
  /** Address of the step that calls, or `<address>#verify` for the probe of its write. Absent: no run calls. */
  readonly step?: string
  readonly timeout: Millis
  /** Latest time at which a write may leave. Null for reads. */
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
  /** Records the requests of a handler. Absent: nothing records them. */
  readonly acts?: Acts
}

/**
 * Calls skills, with credentials that the engine never sees. Does not reject when the external system fails.
 */
export interface SkillCaller {
  call(call: SkillCall): Promise<CallResult>
}
