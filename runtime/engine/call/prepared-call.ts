import type { Json, PinnedConnection } from '../../domain/index.ts'
import type { SkillStep } from '../../playbook/index.ts'
import type { Plugin, Skill } from '../../plugin/index.ts'

/** A skill's call, resolved: everything but what becomes of it. */
export interface PreparedCall {
  readonly address: string
  readonly step: SkillStep
  readonly plugin: Plugin
  readonly skill: Skill
  readonly connection: PinnedConnection
  readonly input: Json
  /** Of the rendered input, as the playbook gave it. */
  readonly digest: string
  /** What it acts on, each thing once. */
  readonly targets: readonly string[]
  /** All of them in one text, as people are shown them; null: the skill does not say. */
  readonly target: string | null
}
