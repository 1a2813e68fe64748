/** Rules about texts: templates, scalars of YAML, patterns, injection and secrets. */
export { injection } from './injection.ts'
export { lookalikes } from './lookalikes.ts'
export { patterns } from './patterns.ts'
export { scalars } from './scalars.ts'
export { secrets } from './secrets.ts'
export { templates } from './templates.ts'
