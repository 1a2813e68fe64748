/**
 * Connectors. A plugin is a folder with a manifest and skills. This room reads it, renders the
 * requests of its skills, runs the skills that are code, and judges the answers. It sends nothing:
 * `runtime/connection/` signs and sends.
 */
export * from './answer/index.ts'
export type * from './bundle.ts'
export * from './call/index.ts'
export * from './credentials/index.ts'
export { type AuthDocument, type ClaimDocument, manifestSchema, skillSchema } from './grammar/index.ts'
export * from './handler/index.ts'
export * from './isolate/index.ts'
export * from './library/index.ts'
export * from './manifest/index.ts'
export * from './request/index.ts'
export * from './schema/index.ts'
export type * from './types.ts'
