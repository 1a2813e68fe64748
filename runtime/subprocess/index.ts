/** Processes that work for this one: confined, limited in time and memory, shared fairly. */

export { Helpers, type HelpersEnd } from './helpers.ts'
export { confinedFlags, launchConfined } from './launch.ts'
export { serve } from './serve.ts'
