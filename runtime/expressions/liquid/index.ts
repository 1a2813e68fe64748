/** Our parts of the Liquid engine: filters, tags and rendering that charge for the work they do. */
export { MeteredContext, meterOf } from './context.ts'
export { type FilterFunction, metered, replaced } from './metered-filter.ts'
export { tooLarge } from './limits.ts'
export { operators } from './operators.ts'
export { lineStarts, positionIn } from './position.ts'
export { MeteredRender } from './render.ts'
export { MeteredCase, MeteredFor, MeteredIf, MeteredUnless } from './tags.ts'
