/**
 * The names in a playbook: its steps as they stand in the document, what each step may refer to,
 * and renaming.
 */
export { type FoundStep, findSteps, keysOf } from './found-steps.ts'
export { renaming } from './renaming.ts'
export { checkRead, type Names, openingScope, type Scope, stepScope } from './scope.ts'
