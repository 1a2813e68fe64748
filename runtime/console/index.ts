/** Bundles the console (`console/`) for browsers. */
export { type ConsoleFiles, createConsole } from './console.ts'
