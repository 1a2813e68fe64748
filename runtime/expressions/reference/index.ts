/** The reference page of filters and operators, generated. */

export { operatorReference } from './operators.ts'
export { renderExpressionReference } from './page.ts'
