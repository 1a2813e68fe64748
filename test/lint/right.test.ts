import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lintPlaybook } from '../../runtime/playbook/index.ts'
import { world } from './world.ts'

const root = new URL('../../', import.meta.url)

function found(text: string, file: string): readonly string[] {
  return lintPlaybook(text, file, world).map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`)
}

const files = ['playbooks', 'test/lint/right'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => /(?<!\.test)\.yaml$/.test(name))
    .map((name) => `${folder}/${name}`),
)

test.each(files)('nothing is found in %s', (file) => {
  expect(found(readFileSync(new URL(file, root), 'utf8'), file)).toEqual([])
})

// The tutorial has a mistake in it on purpose.
const guides = readdirSync(new URL('docs/guides', root)).filter((name) => name !== 'first-playbook.md')
const documents = ['README.md', ...guides.map((name) => `docs/guides/${name}`)]

test.each(documents)('nothing is found in the playbooks that %s shows', (document) => {
  const blocks = [...readFileSync(new URL(document, root), 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
  for (const text of blocks.filter((block) => /^playbook:/m.test(block) && /^steps:/m.test(block))) expect(found(text, document)).toEqual([])
})
