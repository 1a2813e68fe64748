/** What a template does, for lint: which paths it reads in which order, and which conditions decide whether it reads them. */

export { type Choice, type OutlinePart, type OutlineRead, outlineOf } from './outline.ts'
