import type { Json, PinnedConnection } from '../domain/index.ts'
import type { SkillStep } from '../playbook/index.ts'
import type { Plugin, Skill } from '../plugin/index.ts'

/** A skill's call, resolved: everything but what becomes of it. */
export interface Prepared {
  readonly address: string
  readonly step: SkillStep
  readonly plugin: Plugin
  readonly skill: Skill
  readonly connection: PinnedConnection
  readonly input: Json
  /** Of the rendered input, as the playbook gave it. */
  readonly digest: string
  readonly target: string | null
}
