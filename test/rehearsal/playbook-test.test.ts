import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tocsin } from '../support/processes/in-process.ts'
import { until } from '../support/until.ts'
import { main, playbookFolder, tocsinProcess } from './command.ts'

const playbook = `format: 1
playbook: looked
alert_type: looked
inputs: { user: { type: string, from: [content.user], required: true } }
steps:
  - id: look
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
  - id: active
    if: { '==': [{ var: steps.look.output.status }, ACTIVE] }
    then:
      - id: note
        case: { note: Active, severity: high }
`
const tests = (severity: string): string => `format: 1
playbook: looked
tests:
  - name: active <& "quoted">
    alert: { content: { user: ada } }
    answers: { mfa.get_mfa_user_details: { output: { status: ACTIVE } } }
    expect: { outcome: completed, case: { severity: ${severity} } }
`
const made = playbookFolder({ 'looked.yaml': playbook, 'looked.test.yaml': tests('high') })
const wrong = playbookFolder({
  'looked.yaml': playbook,
  'looked.test.yaml': tests('low'),
  'broken.test.yaml': 'format: 1\nplaybook: looked\ntests: [{ name: a, alert: { content: a }, expcet: {} }]\n',
})
afterAll(() => {
  made.remove()
  wrong.remove()
})

test('exits with 0 if all tests pass, and names the branches that no test took', async () => {
  const { code, out } = await tocsin(['playbook', 'test', made.folder, '--coverage'])
  expect(out).toMatch(/✓ active <& "quoted"> \(\d+ ms\)/)
  expect(out).toContain('coverage: 1 of 2 branches (50 %)')
  expect(out).toContain('looked.yaml:9:5 active: never taken: else')
  expect(out).toMatch(/1 test, 1 passed, \d+ ms/)
  expect(code).toBe(0)
})

test('exits with 1 if a test fails, and prints the line, the expected and the actual value; a file with mistakes does not hide that', async () => {
  const { code, out } = await tocsin(['playbook', 'test', wrong.folder])
  expect(out).toContain(`${join(wrong.folder, 'looked.test.yaml')}:7:53 tests.0.expect.case.severity: the case's severity differs`)
  expect(out).toContain('- expected: "low"')
  expect(out).toContain('+ actual:   "high"')
  expect(out).toContain('broken.test.yaml:3:43 tests.0.expcet: `expcet` is not a key here; did you mean `expect`?')
  expect(out).toMatch(/1 test, 0 passed, 1 failed, 1 file could not be used/)
  expect(code).toBe(1)
})

test('a playbook without tests, and a name that is in no folder: the error says what to do', async () => {
  const bare = playbookFolder({ 'bare.yaml': playbook })
  const file = join(bare.folder, 'bare.yaml')
  const { err } = await tocsin(['playbook', 'test', file])
  expect(err).toContain(`${file} has no tests: there is no ${join(bare.folder, 'bare.test.yaml')}.`)
  expect(err).toContain('Write tests beside the playbook')
  const dry = await tocsin(['playbook', 'dry-run', 'bear', '--playbooks', bare.folder, '--alert', 'package.json'])
  expect(dry.err).toContain(`Give the name of a playbook in ${bare.folder}, or the path of a file.`)
  bare.remove()
})

test('exits with 1 if coverage is too low', async () => {
  const { code, out } = await tocsin(['playbook', 'test', join(made.folder, 'looked.yaml'), '--min-coverage', '60'])
  expect(out).toContain('50 %), but 60 % is required')
  expect(code).toBe(1)
})

test('writes JUnit and JSON to a file, and prints the text for people on the screen', async () => {
  const junit = join(wrong.folder, 'junit.xml')
  const { code, out } = await tocsin(['playbook', 'test', wrong.folder, '--format', 'junit', '--output', junit])
  expect([code, out.includes('1 failed')]).toEqual([1, true])
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toContain('<testsuites name="tocsin playbook test" tests="2" failures="1" errors="1">')
  expect(xml).toContain('<testcase name="active &lt;&amp; &quot;quoted&quot;&gt;" classname="looked"')
  expect(xml).toContain('+ actual:   &quot;high&quot;')
  const json = JSON.parse((await tocsin(['playbook', 'test', wrong.folder, '--format', 'json', '--filter', 'ACTIVE'])).out)
  expect(json).toMatchObject({
    passed: 0,
    failed: 1,
    broken: 1,
    tests: [
      {
        name: 'active <& "quoted">',
        status: 'failed',
        line: 4,
        problems: [{ line: 7, field: 'tests.0.expect.case.severity', differences: [{ path: '', expected: 'low', actual: 'high' }] }],
      },
    ],
    errors: [
      {
        code: 'playbook_test_invalid',
        places: [
          { line: 3, column: 9 },
          { line: 3, column: 43 },
        ],
      },
    ],
  })
})

test.each([
  ['a folder that is not there', ['/nowhere/at/all']],
  ['a playbook without tests', [join(import.meta.dirname, '../../bench/playbooks')]],
  ['a filter that fits nothing', [made.folder, '--filter', 'xyz']],
])('what cannot be run ends with 2: %s', async (_, words) => {
  const { code, err } = await tocsin(['playbook', 'test', ...words])
  expect(err).not.toBe('')
  expect(code).toBe(2)
})

test('says so if a filter matches no test', async () => {
  expect((await tocsin(['playbook', 'test', made.folder, '--filter', 'xyz'])).err).toContain(
    '--filter: no test has "xyz" in its name. [config_invalid]',
  )
})

test('needs nothing from the configuration but the folders', async () => {
  expect(await tocsin(['playbook', 'test', made.folder], { MONGODB_URL: 'mongodb://alone' })).toMatchObject({ code: 0, err: '' })
})

test('as a process, exits with 1 if a test fails, and prints reports on standard output only', async () => {
  const { code, out, err } = await tocsinProcess('playbook', 'test', wrong.folder)
  expect([code, err, out.includes('1 failed')]).toEqual([1, '', true])
})

test.each([
  ['an option that there is not', ['--filtre', 'xyz']],
  ['a format that there is not', ['--format', 'tap']],
])('as a process it ends with 2 when it is used wrongly, and says so on standard error alone: %s', async (_, words) => {
  const { code, out, err } = await tocsinProcess('playbook', 'test', made.folder, ...words)
  expect([code, out, err.startsWith('error: ')]).toEqual([2, '', true])
})

test('runs the tests again after a change with --watch', async () => {
  const watched = playbookFolder({ 'looked.yaml': playbook, 'looked.test.yaml': tests('low') })
  const child = spawn(process.execPath, [main, 'playbook', 'test', watched.folder, '--playbooks', watched.folder, '--watch'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (part: Buffer) => {
    out += part
  })
  try {
    await until(async () => out.includes('1 failed'))
    // A watch that is not set up yet misses a change. So change the file until it is noticed.
    await until(async () => {
      watched.write('looked.test.yaml', tests('high'))
      return out.includes('1 passed')
    })
  } finally {
    child.kill()
    watched.remove()
  }
})
