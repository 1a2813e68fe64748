export { type ExplainedPart, explainCondition, type ReadValue } from './explain.ts'
export { ruleText } from './rule-text.ts'
