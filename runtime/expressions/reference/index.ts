/** The reference page of operators and filters. It is generated from their definitions. */
export { renderExpressionReference } from './page.ts'
