/** Makes folders and files that only their owner can use, and says why a file cannot be used. */
export { fileFault, systemCode } from './fault.ts'
export { keepPrivate, makeFolder } from './folder.ts'
