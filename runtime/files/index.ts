/** Makes folders and files that only their owner can use, says why a file cannot be used, and reads text from bytes. */
export { fileFault, systemCode } from './fault.ts'
export { keepPrivate, makeFolder } from './folder.ts'
export { utf8Of } from './text.ts'
