import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lintPlaybook, lintWorld } from '../../runtime/playbook/authoring/index.ts'
import { compilePlaybook, skillLookup, sourcesBeside, withPlaybooks } from '../../runtime/playbook/index.ts'
import { loadPluginFolders } from '../../runtime/plugin/index.ts'

const root = new URL('../../', import.meta.url)
const plugins = await loadPluginFolders([new URL('plugins', root).pathname])
const lookup = skillLookup(new Map(plugins.map((plugin) => [plugin.id, plugin])))

function blocksOf(file: string): string[] {
  return [...readFileSync(new URL(file, root), 'utf8').matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
}

const playbooksIn = (file: string): string[] => blocksOf(file).filter((text) => /^playbook:/m.test(text))

test.each(['README.md', 'docs/guides/playbooks.md'])('the playbooks in %s compile', (file) => {
  const shown = playbooksIn(file)
  expect(shown.length).toBeGreaterThan(0)
  for (const text of shown) expect(compilePlaybook(text, file, lookup).steps.length).toBeGreaterThan(0)
})

/** A whole playbook around the steps, or the keys, of a page: with what they use, and whatever else a playbook needs. */
function around(part: string): string {
  const used = ['host', 'rule'].filter((name) => part.includes(`inputs.${name}`))
  return [
    'format: 1\nplaybook: part\nalert_type: part\ninputs:',
    ...['user', ...used].map((name) => `  ${name}: { type: string, from: [content.${name}], required: true }`),
    part.includes('mfa.') ? 'connections: { idp: { integration: mfa } }' : '',
    /^case:/m.test(part) ? '' : "case: { title: 'Part {{ inputs.user }}', severity: high }",
    part.startsWith('- id:') ? `steps:\n${part}` : `${part}steps: [{ id: tell, case: { note: Seen } }]\n`,
  ].join('\n')
}

const parts = ['docs/guides/waiting-and-asking.md', 'docs/guides/related-alerts.md'].flatMap((file) =>
  blocksOf(file).map((part) => ({ file, part, line: part.split('\n')[0] })),
)

test.each(parts)('a playbook with the lines from "$line" of $file has no finding', ({ file, part }) => {
  expect(lintPlaybook(around(part), file, lintWorld(new Map(plugins.map((plugin) => [plugin.id, plugin]))))).toEqual([])
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
