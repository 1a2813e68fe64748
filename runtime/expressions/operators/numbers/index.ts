/** Arithmetic. */
export { add } from './add.ts'
export { divide } from './divide.ts'
export { max } from './max.ts'
export { min } from './min.ts'
export { multiply } from './multiply.ts'
export { remainder } from './remainder.ts'
export { subtract } from './subtract.ts'
