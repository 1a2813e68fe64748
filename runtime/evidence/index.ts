/** Signed evidence of a run: what it wrote, on whose word, and with which code. `evidence.ts` makes it, and `jws.ts` checks it. */
export { createEvidence, type Evidence } from './evidence.ts'
export { type Verified, verifyEvidence } from './jws.ts'
