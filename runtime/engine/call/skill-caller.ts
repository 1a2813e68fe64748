import type { Json, Millis, OrganizationId, PinnedConnection, RunId } from '../../domain/index.ts'
import type { Acts, CallResult, Plugin, Skill } from '../../plugin/index.ts'

/** One call of a skill, as a run asks for it. */
export interface SkillCall {
  readonly organization: OrganizationId
  /** Names: the playbook of the run, and the sub-playbooks of it that the step is in. */
  readonly playbooks: readonly string[]
  readonly connection: PinnedConnection
  readonly plugin: Plugin
  readonly skill: Skill
  readonly input: Json
  /** The same however often the step is tried. */
  readonly key: string
  /** Runs share a connection's rate limit fairly; absent: the call is of no run. */
  readonly run?: RunId
  /** Address of the step that calls; of the question whether its write happened, `<address>#verify`. Absent: the call is of no run. */
  readonly step?: string
  readonly timeout: Millis
  /** Until when a write may leave; null for reads. */
  readonly sendBy: Millis | null
  readonly signal: AbortSignal
  /** Where a handler's acts are kept; absent: nowhere. */
  readonly acts?: Acts
}

/** Calls skills with credentials that the engine never sees. Never rejects for what the external system does. */
export interface SkillCaller {
  call(call: SkillCall): Promise<CallResult>
}
