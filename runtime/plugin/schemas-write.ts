import { mkdirSync, writeFileSync } from 'node:fs'
import { playbookSchema } from '../playbook/index.ts'
import { manifestSchema, skillSchema } from './grammar/index.ts'

/** Writes schemas/*.schema.json for editors; a test holds them equal to the grammars. */
mkdirSync('schemas', { recursive: true })
for (const [name, schema] of Object.entries({ manifest: manifestSchema, skill: skillSchema, playbook: playbookSchema })) {
  writeFileSync(`schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`)
}
