import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lintFiles } from '../../runtime/playbook/authoring/index.ts'
import type { Finding, PlaybookFile } from '../../runtime/playbook/index.ts'
import { world } from './world.ts'

const root = new URL('../../', import.meta.url)

function read(file: string): string {
  return readFileSync(new URL(file, root), 'utf8')
}

function shown({ file, line, column, code, message }: Finding): string {
  return `${file}:${line}:${column} ${code}: ${message}`
}

test.each(['playbooks', 'test/lint/right'])('there are no findings in %s', (folder) => {
  const names = readdirSync(new URL(folder, root)).filter((name) => /(?<!\.test)\.yaml$/.test(name))
  const files: readonly PlaybookFile[] = names.map((name) => ({ file: `${folder}/${name}`, text: read(`${folder}/${name}`) }))
  expect(files.length).toBeGreaterThan(0)
  expect(lintFiles(files, world).map(shown)).toEqual([])
})

// This page of the tutorial has a deliberate mistake.
const guides = readdirSync(new URL('docs/guides', root)).filter((name) => name !== 'first-playbook.md')

test.each(['README.md', ...guides.map((name) => `docs/guides/${name}`)])('there are no findings in the playbooks of %s', (document) => {
  const blocks = [...read(document).matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
  const whole = blocks.filter((block) => /^playbook:/m.test(block) && /^steps:/m.test(block))
  const found = lintFiles(
    whole.map((text, index) => ({ file: `block-${index}.yaml`, text })),
    world,
  )
  expect(found.map(shown)).toEqual([])
})
