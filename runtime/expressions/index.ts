/**
 * The expressions of playbooks: templates (Liquid) and conditions (json-logic). They are compiled,
 * evaluated within limits of work, typed and explained.
 */
export { compileCondition, operatorNames } from './condition/index.ts'
export { ExpressionError, type ExpressionFault, type ExpressionFaultCode, placesOf } from './error.ts'
export { type ExplainedPart, explainCondition, type ReadValue, ruleText } from './explain/index.ts'
export { compilePattern, type Pattern } from './pattern/index.ts'
export { operatorReference, renderExpressionReference } from './reference/index.ts'
export {
  compileText,
  compileValue,
  type Filters,
  isTemplate,
  partsOf,
  type Quoting,
  quote,
  renderText,
  type TemplateOutput,
  type TemplateParts,
  type TemplateRead,
  type TextTemplate,
} from './template/index.ts'
export { timeOf } from './time.ts'
export * from './types.ts'
export * as typing from './typing/index.ts'
export { Meter, mostFolded, mostWork, type Work, WorkBudget, WorkExceeded } from './work.ts'
