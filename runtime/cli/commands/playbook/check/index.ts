/** Commands that check playbook files and need no running Tocsin: `lint`, `impact` and `schema`. */
export { impactCommand } from './impact.ts'
export { lintCommand } from './lint.ts'
export { schemaCommand } from './schema.ts'
