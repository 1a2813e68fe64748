import type { Json, PinnedConnection } from '../../domain/index.ts'
import type { SkillStep } from '../../playbook/index.ts'
import type { Plugin, Skill } from '../../plugin/index.ts'

/** A call of a skill, ready to be sent. */
export interface PreparedCall {
  readonly address: string
  readonly step: SkillStep
  readonly plugin: Plugin
  readonly skill: Skill
  readonly connection: PinnedConnection
  readonly input: Json
  /** Digest of the rendered input, before the skill's schema fills in defaults. */
  readonly digest: string
  /** The targets of the call, each once. */
  readonly targets: readonly string[]
  /** The targets in one text, to show to people. Null: the skill declares no targets. */
  readonly target: string | null
}
