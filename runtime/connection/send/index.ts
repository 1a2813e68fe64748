/**
 * Sending the requests of skills. `sender.ts` gets what a request needs (detected values, access token, permit); `send-request.ts` signs it, has
 * `runtime/egress/` send it, and reads the answer.
 */
export { Detections } from './detections.ts'
export { createSender, type Sender, type Sending } from './way-out.ts'
