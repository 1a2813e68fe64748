/** The reference page of filters and operators, generated. */
export { type FilterEntry, filterContext, filterReference } from './filters.ts'
export { addedOperators, type OperatorEntry, operatorContext, operatorReference } from './operators.ts'
export { renderExpressionReference } from './page.ts'
