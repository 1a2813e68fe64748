/** Compiles and evaluates conditions (json-logic). */
export { compileCondition } from './condition.ts'
export { compileRule, evaluatePart } from './logic.ts'
export { checkRule } from './rule.ts'
