/** Lint: finds mistakes in playbooks without running them, and fixes those with only one possible fix. */
export * from './files.ts'
export * from './fix.ts'
export * from './installed.ts'
export * from './lint.ts'
export type { KnownConnection, LintWorld } from './world.ts'
