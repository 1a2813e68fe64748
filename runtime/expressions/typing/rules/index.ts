/** Types of conditions: reads a json-logic rule, and finds comparisons that cannot be meant. */
export { tellConstants } from './constants.ts'
export { factsOfRule, operation } from './facts.ts'
export { pitfallOfOr } from './pitfalls.ts'
export { RuleReader } from './reader.ts'
export { outermost } from './scope.ts'
