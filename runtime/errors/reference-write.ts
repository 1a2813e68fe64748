import { writeFileSync } from 'node:fs'
import { renderErrorReference } from './reference.ts'

writeFileSync(new URL('../../docs/reference/errors.md', import.meta.url), renderErrorReference())
