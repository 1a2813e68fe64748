/** Draws reports as PDF, in a separate process (docs/decisions/0060). */
export { createPdfs, type Pdfs } from './pdfs.ts'
export type { Block } from './report.ts'
