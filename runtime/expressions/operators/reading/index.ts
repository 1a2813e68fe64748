/** Reading values by their path. */
export { missing } from './missing.ts'
export { missingSome } from './missing-some.ts'
export { variable } from './var.ts'
