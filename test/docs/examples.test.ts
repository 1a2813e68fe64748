import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compilePlaybook, skillLookup, sourcesBeside, withPlaybooks } from '../../runtime/playbook/index.ts'
import { loadPluginFolders } from '../../runtime/plugin/index.ts'

const root = new URL('../../', import.meta.url)
const plugins = await loadPluginFolders([new URL('plugins', root).pathname])
const lookup = skillLookup(new Map(plugins.map((plugin) => [plugin.id, plugin])))

function playbooksIn(file: string): string[] {
  const blocks = readFileSync(new URL(file, root), 'utf8').matchAll(/```yaml\n(.*?)```/gs)
  return [...blocks].map(([, text = '']) => text).filter((text) => /^playbook:/m.test(text))
}

test.each(['README.md', 'docs/guides/playbooks.md'])('the playbooks in %s compile', (file) => {
  const shown = playbooksIn(file)
  expect(shown.length).toBeGreaterThan(0)
  for (const text of shown) expect(compilePlaybook(text, file, lookup).steps.length).toBeGreaterThan(0)
})

const folders = ['playbooks', 'bench/playbooks', 'test/faults/playbooks']
const files = folders.flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => /(?<!\.test)\.yaml$/.test(name))
    .map((name) => `${folder}/${name}`),
)

test.each(files)('%s compiles', async (file) => {
  const path = fileURLToPath(new URL(file, root))
  const whole = withPlaybooks(lookup, await sourcesBeside([path], []))
  expect(compilePlaybook(readFileSync(path, 'utf8'), file, whole).steps.length).toBeGreaterThan(0)
})

test('every linked file exists', () => {
  const documents = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const broken = documents.flatMap((document) =>
    [...readFileSync(new URL(document, root), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].flatMap(([, link = '']) => {
      try {
        readFileSync(new URL(link, new URL(document, root)))
        return []
      } catch (error) {
        return (error as { code?: string }).code === 'EISDIR' ? [] : [`${document} links to ${link}`]
      }
    }),
  )
  expect(broken).toEqual([])
})
