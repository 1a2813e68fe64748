/**
 * YAML that people write: parsed within limits, with the line and column of everything, and
 * checked against JSON Schemas.
 */
export * from './digest.ts'
export * from './document.ts'
export type { YamlLimits } from './limits.ts'

export * from './parse/index.ts'
export * from './validate/index.ts'
