/** Explains a condition to people: its text, and the values that it read. */
export { type ExplainedPart, explainCondition } from './explain.ts'
export { ruleText } from './rule-text.ts'
