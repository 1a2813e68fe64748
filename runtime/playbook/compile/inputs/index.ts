/** Compiles the declared inputs of a playbook: their schemas, formats and defaults. */
export { compileInput } from './inputs.ts'
