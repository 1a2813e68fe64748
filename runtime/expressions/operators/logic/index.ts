/** Truth, `and`, `or` and branches. */
export { and } from './and.ts'
export { choice, ternary } from './if.ts'
export { or } from './or.ts'
export { isTrue, not } from './truth.ts'
