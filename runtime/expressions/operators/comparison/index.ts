/** Equality and order. */
export { equalities } from './equality.ts'
export { orders } from './order.ts'
