/**
 * Sends one request of a skill and reads its answer. `way-out.ts` lists the stages in order and
 * calls them. The other files are stages, or help one.
 */
export { Detections } from './detections.ts'
export { unsignedRequest } from './sign.ts'
