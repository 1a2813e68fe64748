import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lintPlaybook, lintWorld } from '../../runtime/playbook/authoring/index.ts'
import { sourcesBeside, withPlaybooks } from '../../runtime/playbook/index.ts'
import { loadTestFile, openWorld, runTest } from '../../runtime/rehearsal/index.ts'

/** Lints every example of the language reference, and runs the tests that follow it. */
const root = new URL('../../', import.meta.url)
const directory = mkdtempSync(join(tmpdir(), 'tocsin-language-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Example {
  /** The page and line of the block. */
  readonly place: string
  readonly name: string
  readonly playbook: string
  readonly tests: readonly string[]
}

function examplesOf(file: string): readonly Example[] {
  const page = readFileSync(new URL(file, root), 'utf8')
  const examples: (Example & { tests: string[] })[] = []
  for (const { index, 1: kind, 2: text = '' } of page.matchAll(/```yaml( test)?\n(.*?)```/gs)) {
    const line = page.slice(0, index).split('\n').length
    if (kind === undefined) {
      const name = /^playbook: (\S+)/m.exec(text)?.[1] ?? `example-${basename(file, '.md')}-${line}`
      const playbook = /^playbook:/m.test(text) ? text : `format: 1\nplaybook: ${name}\nalert_type: ${name}\n${text}`
      examples.push({ place: `${file}:${line}`, name, playbook, tests: [] })
    } else examples.at(-1)?.tests.push(text)
  }
  return examples
}

const examples = ['docs/reference/language.md', 'docs/reference/language-steps.md'].flatMap(examplesOf)
for (const { name, playbook } of examples) writeFileSync(join(directory, `${name}.yaml`), playbook)
const world = await openWorld({ plugins: [new URL('plugins', root).pathname], playbooks: [directory] })
const sources = await sourcesBeside([join(directory, `${examples[0]?.name}.yaml`)], [])
const lint = withPlaybooks(lintWorld(world.plugins), sources)

test('every part has an example', () => {
  expect(examples.length).toBeGreaterThan(15)
})

describe.each(examples)('the example at $place', ({ name, playbook, tests }) => {
  test('has no finding', () => {
    expect(lintPlaybook(playbook, `${name}.yaml`, lint)).toEqual([])
  })

  test('does what the page says', async () => {
    const isSub = !/^alert_type:/m.test(playbook)
    expect(tests.length).toBeGreaterThan(isSub ? -1 : 0)
    if (tests.length === 0) return
    const file = join(directory, `${name}.test.yaml`)
    const indented = tests.map((text, index) => `  - name: test ${index + 1}\n${text.replace(/^(?=.)/gm, '    ')}`)
    writeFileSync(file, `format: 1\nplaybook: ${name}\ntests:\n${indented.join('')}`)
    const loaded = await loadTestFile(world, file)
    for (const one of loaded.tests) {
      const { problems } = await runTest(world, loaded, one, () => 0)
      expect(problems.map(({ field, message, differences }) => ({ test: one.name, field, message, differences }))).toEqual([])
    }
  })
})
