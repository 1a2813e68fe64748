/**
 * Tests, dry runs and replays of playbooks whose text a tenant sent. They execute in separate processes
 * (docs/decisions/0054).
 */
export { createRehearsals, type Rehearsals } from './rehearsals.ts'
export type { CallReport, DryRunReport, ReplayReport, TestFileReport } from './reports.ts'
export { alertForDryRun, type DryRunOf, rehearsalsOfTexts, type TextRehearsals } from './texts.ts'
