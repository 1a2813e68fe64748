export { type ConsoleFiles, createConsole } from './console.ts'
