/** Our parts of the Liquid engine: tags, operators, calls of filters and rendering. They charge for the work they do. */
export { MeteredContext, meterOf } from './context.ts'
export { tooLarge } from './limits.ts'
export { metered } from './metered-filter.ts'
export { operators } from './operators.ts'
export { lineStarts, positionIn } from './position.ts'
export { MeteredRender } from './render.ts'
export { MeteredCase, MeteredFor, MeteredIf, MeteredUnless } from './tags.ts'
