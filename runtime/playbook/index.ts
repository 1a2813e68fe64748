/**
 * The playbook language: grammar, compiler, lint, impact and generator. Also the versions of playbooks
 * in the store, and which of them are active.
 */
export {
  type DrawnPlaybook,
  type Examination,
  type LookingNeeds,
  localChecks,
  Outlines,
  type PlaybookChecks,
  type TaskInput,
  type TaskName,
  type TaskOutput,
  type Work,
} from './checks/index.ts'
export * from './compile/compile.ts'
export * from './compile/with-playbooks.ts'
export { contentJson, readContent } from './content.ts'
export * from './files.ts'
export type { Finding, FindingEntry } from './findings/index.ts'
export { FolderWatch, type Snapshot, takeSnapshot } from './folders/index.ts'
export { type GraphEdge, type GraphNode, graphOf, nodeOf, type PlaybookGraph, skillFacts } from './graph/index.ts'

export type { Impact, SkillImpact } from './impact/index.ts'
export * from './import.ts'
export * from './inputs.ts'
export * from './library.ts'
export type { KnownConnection, LintWorld, PlaybookFile } from './lint/index.ts'
export { listObservables } from './observables/index.ts'
export * from './plan.ts'
export { everyStep, expressionsIn } from './plan-parts.ts'
export type { FindingCode } from './registry/index.ts'
export * from './skill-lookup.ts'
export { type PlaybookTemplate, shippedPlaybooks } from './templates.ts'
export * from './versions/index.ts'
