import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildProgram } from '../../runtime/cli/index.ts'

const plugins = fileURLToPath(new URL('../../plugins', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-lint-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, steps: string, above = ''): string {
  const file = join(folder, name)
  const own = name.replace(/\.yaml$/, '')
  writeFileSync(file, `format: 1\nplaybook: ${own}\n${above === '' ? `alert_type: ${own}   # the type\n` : above}steps:\n${steps}`)
  return file
}

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Runs the command in this process. */
async function lint(...given: readonly string[]): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const { log, error } = console
  const before = process.exitCode
  console.log = (text: string) => void out.push(text)
  console.error = (text: string) => void err.push(text)
  try {
    await (await buildProgram('playbook')).parseAsync(['node', 'tocsin', 'playbook', 'lint', '--plugins', plugins, ...given])
    return { status: Number(process.exitCode ?? 0), out: out.join('\n'), err: err.join('\n') }
  } finally {
    console.log = log
    console.error = error
    process.exitCode = before
  }
}

const good = '  - id: say\n    case: { note: Good }\n'
const bad = '  - id: issues\n    skil: mailsec.get_mailsec_issues   # misspelt\n'
const doubtful = 'alert_type: [doubtful, Doubtful]\n'

test('reports no mistakes in a good playbook, and ends with 0', async () => {
  const { status, out } = await lint(write('good.yaml', good))
  expect(status).toBe(0)
  expect(out).toBe('1 file: no mistakes found')
})

test('prints findings below their file, with the line and a caret', async () => {
  const file = write('bad.yaml', bad)
  const { status, out } = await lint(file)
  expect(status).toBe(1)
  expect(out).toContain(file)
  expect(out).toContain('6:5')
  expect(out).toContain('did you mean `skill`?')
  expect(out).toContain('step_kind_unknown')
  const [source = '', caret = ''] = out.split('\n').slice(2)
  expect(caret.indexOf('^')).toBe(source.indexOf('skil:'))
  expect(out).toContain('1 file: 1 error, 0 warnings; --fix corrects 1')
})

test('the line of a file from Windows has no character for its end', async () => {
  const file = write('bad.yaml', bad)
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  expect((await lint(file)).out.split('\n')[2]).toMatch(/ # misspelt$/)
})

test('JSON is one array of all findings', async () => {
  const file = write('bad.yaml', bad)
  const { status, out } = await lint(file, write('good.yaml', good), '--format', 'json')
  expect(status).toBe(1)
  const text = readFileSync(file, 'utf8')
  const [finding, ...more] = JSON.parse(out)
  expect(more).toEqual([])
  expect(finding).toMatchObject({ code: 'step_kind_unknown', severity: 'error', file, line: 6, column: 5 })
  const [edit] = finding.fix.edits
  expect(text.slice(0, edit.start) + edit.text + text.slice(edit.end)).toContain('skill: mailsec.get_mailsec_issues   # misspelt')
})

test('SARIF has the rules, the places and the fixes', async () => {
  const file = write('bad.yaml', bad)
  const log = JSON.parse((await lint(file, '--format', 'sarif')).out)
  expect(log).toMatchObject({ version: '2.1.0', runs: [{ columnKind: 'utf16CodeUnits', tool: { driver: { name: 'tocsin playbook lint' } } }] })
  const [run] = log.runs
  expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['step_kind_unknown'])
  expect(run.results).toMatchObject([
    {
      ruleId: 'step_kind_unknown',
      ruleIndex: 0,
      level: 'error',
      locations: [{ physicalLocation: { region: { startLine: 6, startColumn: 5 } } }],
      fixes: [{ artifactChanges: [{ replacements: [{ deletedRegion: { startLine: 6, endLine: 6 } }] }] }],
    },
  ])
  const page = run.tool.driver.rules[0].properties.page
  expect(readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')).toContain('# step_kind_unknown')
})

test('--fix makes only the certain fixes', async () => {
  const file = write('bad.yaml', bad)
  const before = readFileSync(file, 'utf8')
  const { status, out, err } = await lint(file, '--fix')
  expect(status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before.replace('skil:', 'skill:'))
  expect(err).toContain(`${file}:6:5`)
  expect(out).toContain('no mistakes found')
})

test('warnings alone are not a failure, unless --max-warnings is lower', async () => {
  const file = write('doubtful.yaml', good, doubtful)
  expect(await lint(file)).toMatchObject({ status: 0, out: expect.stringContaining('0 errors, 1 warning') })
  expect(await lint(file, '--max-warnings', '1')).toMatchObject({ status: 0 })
  expect(await lint(file, '--max-warnings', '0')).toMatchObject({ status: 1 })
})

test('a folder means all its playbooks, but not their tests', async () => {
  const own = mkdtempSync(join(folder, 'folder-'))
  for (const name of ['first.yaml', 'second.yml', 'first.test.yaml', 'notes.txt']) {
    writeFileSync(join(own, name), `format: 1\nplaybook: ${name.split('.')[0]}\nalert_type: same\nsteps:\n${good}`)
  }
  const { status, out } = await lint(own, '--format', 'json')
  expect(status).toBe(1)
  expect(JSON.parse(out)).toMatchObject([{ code: 'alert_type_taken', file: join(own, 'second.yml'), line: 3, column: 13 }])
  expect(JSON.parse((await lint('--playbooks', own, '--format', 'json')).out)).toHaveLength(1)
})

test('ends with 2 if a file cannot be read', async () => {
  expect(await lint(join(folder, 'nowhere.yaml'))).toMatchObject({ status: 2, err: expect.stringContaining('nowhere.yaml') })
  expect(await lint(mkdtempSync(join(folder, 'empty-')))).toMatchObject({ status: 2, err: expect.stringContaining('no playbook') })
  const file = write('good.yaml', good)
  expect(await lint(file, '--connections', file)).toMatchObject({ status: 2, err: expect.stringContaining('good.yaml') })
})

test('checks the other files of a folder if some cannot be read, and still ends with 2', async () => {
  const own = mkdtempSync(join(folder, 'unreadable-'))
  writeFileSync(join(own, 'bad.yaml'), `format: 1\nplaybook: bad\nalert_type: bad\nstepps:\n${good}`)
  for (const name of ['utf16.yaml', 'utf16-too.yaml']) writeFileSync(join(own, name), Buffer.from('\ufeffformat: 1\n', 'utf16le'))
  const { status, out, err } = await lint(own)
  expect(status).toBe(2)
  expect(out).toContain('did you mean `steps`?')
  expect(err).toContain('utf16.yaml is not UTF-8')
  expect(err).toContain('utf16-too.yaml is not UTF-8')
})
