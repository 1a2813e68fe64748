/**
 * Sending one request of a skill, and reading its answer. `way-out.ts` lists the stages in order and calls them; each other file is a stage, or what a
 * stage needs.
 */
export { Detections } from './detections.ts'
