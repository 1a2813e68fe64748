/** What a template does, for lint: which paths it reads in which order, and which conditions decide whether it reads them. */

export type { IsBoolean, Test } from './as-condition.ts'
export { type Choice, type OutlinePart, type OutlineRead, outlineOf } from './outline.ts'
