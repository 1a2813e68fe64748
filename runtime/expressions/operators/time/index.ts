/** Times and ages. */
export { age } from './age.ts'
export { after, before } from './before-after.ts'
