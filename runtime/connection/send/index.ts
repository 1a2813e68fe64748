/**
 * Sending one request of a skill, and reading its answer. `way-out.ts` lists the stages in order and calls them; each other file is a stage, or what a
 * stage needs.
 */
export { Detections } from './detections.ts'
export type { Sender, Sending } from './types.ts'
export { createSender } from './way-out.ts'
