import type { Json } from '../../domain/index.ts'
import type { DocumentPath, YamlDocument } from '../../yaml/index.ts'
import type { FindingCode, Fix } from '../findings/index.ts'
import type { Plan } from '../plan.ts'
import type { Flow } from './flow/index.ts'
import type { LintWorld } from './world.ts'

/** One playbook, as rules look at it. It may have mistakes that keep it from compiling: a rule says nothing of what it cannot read. */
export interface Subject {
  readonly document: YamlDocument
  readonly root: Readonly<Record<string, Json>>
  readonly world: LintWorld
  readonly flow: Flow
  /** Null where it does not compile. */
  readonly plan: Plan | null
}

/** Takes what a rule finds. */
export interface Report {
  /** At a value, or with `key` at the key that holds it. */
  at(code: FindingCode, path: DocumentPath, message: string, more?: { readonly part?: 'value' | 'key'; readonly fix?: Fix }): void
  /** At a character of the string at a path. */
  inside(code: FindingCode, path: DocumentPath, offset: number, message: string, fix?: Fix): void
  /** At an offset of the file. */
  offset(code: FindingCode, offset: number, path: DocumentPath, message: string, fix?: Fix): void
}

/** One family of mistakes. */
export interface Rule {
  /** Everything that it may find. */
  readonly codes: readonly FindingCode[]
  check(subject: Subject, report: Report): void
}
