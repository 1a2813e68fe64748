/** A case as a report: for people as Markdown, for programs as JSON. */
export { caseExportRoute } from './route.ts'
