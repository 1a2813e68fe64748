/** Processes that work for this one: confined, limited in time and memory, shared fairly. */
export type { TaskEnd } from './helper.ts'
export { Helpers, type HelpersEnd, type HelpersOptions } from './helpers.ts'
export { type Confined, confinedFlags, launchConfined } from './launch.ts'
export { serve } from './serve.ts'
