/**
 * The names in a playbook: its steps in the order of the document, what each step may read, and
 * fixes for misspelt names.
 */
export { type FoundStep, findSteps, keysOf } from './found-steps.ts'
export { renaming } from './renaming.ts'
export { checkRead, type Names, openingScope, type Scope, stepScope } from './scope.ts'
