import type { Json } from '../../domain/index.ts'
import type { DocumentPath, YamlDocument } from '../../yaml/index.ts'
import type { FindingEntries, Fix } from '../findings/index.ts'
import type { Plan } from '../plan.ts'
import type { Flow } from './flow/index.ts'
import type { LintWorld } from './world.ts'

/** The playbook that rules check. It may have mistakes that keep it from compiling. A rule ignores what it cannot read. */
export interface Subject {
  readonly document: YamlDocument
  readonly root: Readonly<Record<string, Json>>
  readonly world: LintWorld
  readonly flow: Flow
  /** Null if the playbook does not compile. */
  readonly plan: Plan | null
}

/** Takes the findings of a rule. It takes the codes of that rule only. */
export interface Report<Code extends string> {
  /** Reports a value. With `key`, reports the key that holds it. */
  at(code: Code, path: DocumentPath, message: string, more?: { readonly part?: 'value' | 'key'; readonly fix?: Fix }): void
  /** Reports a character of the string at a path. */
  inside(code: Code, path: DocumentPath, offset: number, message: string, fix?: Fix): void
  /** Reports an offset of the file. */
  offset(code: Code, offset: number, path: DocumentPath, message: string, fix?: Fix): void
}

/** One lint rule: the codes that it reports, with their texts and examples, and the check. */
export interface Rule<Code extends string = string> {
  readonly codes: FindingEntries<Code>
  check(subject: Subject, report: Report<Code>): void
}

/** Returns the rule. It infers the codes from `codes`, so that reporting another code is a type error. */
export function defineRule<Code extends string>(rule: Rule<Code>): Rule<Code> {
  return rule
}
