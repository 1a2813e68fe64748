export { fileFault, systemCode } from './fault.ts'
export { keepPrivate, makeFolder } from './folder.ts'
