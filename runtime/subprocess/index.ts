/** Processes that work for this one. They are confined, limited in time and memory, and shared fairly. */

export { compileCacheVariables } from './compile-cache.ts'
export { Helpers, type HelpersEnd } from './helpers.ts'
export { confinedFlags, launchConfined } from './launch.ts'
export { type Ask, serve } from './serve.ts'
