import { expect, test } from 'vitest'
import { compile, faultsOf, playbook } from '../testing.ts'

const script = (lines: string, rest = ''): string => playbook(`  - id: risk\n    script: |\n${lines.replace(/^/gm, '      ')}\n${rest}`)

test('bundles a script, with a default time limit of five seconds', () => {
  const [step] = compile(script('export default ({ n }: { n: number }) => n', '    with: { n: 1 }\n')).steps
  expect(step).toMatchObject({ kind: 'script', timeout: 5_000, output: null, bundle: { digest: expect.stringMatching(/^sha256:/) } })
  expect(compile(script('export default () => 1', '    timeout: 1m\n')).steps[0]).toMatchObject({ timeout: 60_000 })
})

test('checks the return value against the schema', () => {
  const [step] = compile(script('export default () => 1', '    output: { type: integer, minimum: 3 }\n')).steps
  expect(step?.kind === 'script' && [step.checkOutput(1), step.checkOutput(3)]).toEqual(['the value must be >= 3', null])
})

test.each([
  ['a slip', 'export default (a) => {\n  const é = 1 +\n}', ['9:7 steps.0.script: unexpected "}"']],
  [
    'an import',
    "const a = 1\nimport { b } from './b'\nexport default () => b",
    ['8:25 steps.0.script: a script cannot import anything; pass what it needs as arguments'],
  ],
  [
    'an import that nothing uses',
    "import { b } from 'node:fs'\nexport default () => 1",
    ['7:25 steps.0.script: a script cannot import anything; pass what it needs as arguments'],
  ],
  ['a require', "export default () => require('fs')", ['7:36 steps.0.script: a script cannot import anything; pass what it needs as arguments']],
  [
    'an import from an address',
    "import b from 'https://example.com/b.js'\nexport default () => b",
    ['7:22 steps.0.script: a script cannot import anything; pass what it needs as arguments'],
  ],
  [
    'nesting that takes a compiler minutes and gigabytes',
    `export default () => ${'a ? (b) : c => '.repeat(25)}1`,
    ['7:7 steps.0.script: this takes too much time or memory to compile; write it with less nesting'],
  ],
  ['no default export', 'export const run = () => 1', ['7:7 steps.0.script: the script has no default export; write `export default (args) => …`']],
])('reports %s at its line and column', (_what, source, faults) => {
  expect(faultsOf(script(source))).toEqual(faults)
})

test('reports an `output` that is not a schema', () => {
  expect(faultsOf(script('export default () => 1', '    output: { type: objct }\n'))).toEqual([
    expect.stringMatching(/^8:13 steps\.0\.output: this is not a valid JSON Schema: /),
  ])
})

test('a playbook has at most a hundred scripts', () => {
  const steps = (count: number): string =>
    Array.from({ length: count }, (_, at) => `  - { id: s${at}, script: 'export default () => ${at}' }\n`).join('')
  expect(faultsOf(playbook(steps(100)))).toEqual([])
  expect(faultsOf(playbook(steps(103)))).toEqual(['105:25 steps.100.script: a playbook has at most 100 scripts'])
})

test('a script has at most 65,536 characters', () => {
  const filled = (length: number): string => `export default () => 1`.padEnd(length, ';')
  expect(faultsOf(script(filled(65_535)))).toEqual([])
  expect(faultsOf(script(filled(65_536)))).toEqual(['6:13 steps.0.script: this script has 65537 characters; 65536 are allowed'])
})
