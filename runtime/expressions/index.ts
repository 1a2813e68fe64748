/**
 * The expressions of playbooks: templates (Liquid) and conditions (json-logic). They are compiled,
 * evaluated within limits of work, and explained. Lint imports `typing/`, which has their types.
 */
export { compileCondition } from './condition/index.ts'
export { ExpressionError, type ExpressionFaultCode, placesOf } from './error.ts'
export { type ExplainedPart, explainCondition, ruleText } from './explain/index.ts'
export { type Filters, filterGroups, quote } from './filters/index.ts'
export { operatorGroups, operatorNames } from './operators/index.ts'
export { type Choice, type OutlinePart, type OutlineRead, outlineOf } from './outline/index.ts'
export { compilePattern } from './pattern/index.ts'
export {
  compileText,
  compileValue,
  isTemplate,
  partsOf,
  renderText,
  type TemplateOutput,
  type TextTemplate,
} from './template/index.ts'
export { timeOf } from './time.ts'
export * from './types.ts'
export { Meter, mostFolded, mostWork, type Work, WorkBudget, WorkExceeded } from './work.ts'
