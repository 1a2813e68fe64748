/**
 * Rules about values: which type a value has, whether it may be missing, and whether an input
 * takes it.
 */
export { jointInputs } from './joint-inputs.ts'
export { presence } from './presence.ts'
export { skillInputs } from './skill-inputs.ts'
export { subInputs } from './sub-inputs.ts'
export { types } from './types.ts'
export { values } from './values.ts'
