/**
 * Rules about values: which type a value has, whether it may be missing, and whether an input
 * takes it.
 */
export { defaultFits } from './default-fits.ts'
export { expressionTypes } from './expression-types.ts'
export { fraction } from './fraction.ts'
export { jointInputs } from './joint-inputs.ts'
export { loopList } from './loop-list.ts'
export { presence } from './presence.ts'
export { skillInputs } from './skill-inputs.ts'
export { subInputs } from './sub-inputs.ts'
export { textExpected } from './text-expected.ts'
export { timeExpected } from './time-expected.ts'
