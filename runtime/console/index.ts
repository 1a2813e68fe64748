export { type ConsoleFile, type ConsoleFiles, createConsole } from './console.ts'
