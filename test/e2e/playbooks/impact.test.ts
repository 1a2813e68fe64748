import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Ended, tocsin } from '../../support/processes/in-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'tocsin-impact-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function impact(...words: string[]): Promise<Ended> {
  return tocsin(['playbook', 'impact', ...words])
}

function file(name: string, steps: string): string {
  const path = join(directory, name)
  writeFileSync(
    path,
    `format: 1\nplaybook: ${name.replace('.yaml', '')}\nalert_type: ${name}\ninputs: { users: { type: array } }\nsteps: [${steps}]\n`,
  )
  return path
}

const suspend = "{ id: out, skill: mfa.suspend_mfa_user, with: { username: '{{ item }}' } }"
const bounded = file('bounded.yaml', `{ id: each, foreach: '{{ inputs.users }}', max_items: 20, steps: [${suspend}] }`)
const endless = file('endless.yaml', `{ id: each, foreach: '{{ inputs.users }}', steps: [${suspend}] }`)
const broken = file('broken.yaml', '{ id: x, skill: mfa.no_such_skill }')

test('the JSON for one file contains only its numbers', async () => {
  const { out, code } = await impact('--format', 'json', bounded)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({
    high: 0,
    write: 20,
    read: 0,
    targets: 20,
    skills: [{ skill: 'mfa.suspend_mfa_user', impact: 'write', max_calls: 20, role: null, connection: 'mfa', approval: 'none' }],
    unbounded: [],
  })
})

test('a loop without a bound is named, and counts as the largest number', async () => {
  const { out, code } = await impact('--format', 'json', endless)
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ write: Number.MAX_SAFE_INTEGER, targets: Number.MAX_SAFE_INTEGER, unbounded: ['each'] })
})

test('the JSON for a folder lists each playbook, and mistakes are reported for those that do not compile', async () => {
  const json = await impact('--format', 'json', directory)
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out)).toMatchObject([
    { file: bounded, playbook: 'bounded', write: 20 },
    { file: endless, playbook: 'endless', unbounded: ['each'] },
  ])
  expect(json.err).toMatch(new RegExp(`${broken}:5:\\d+ .*no_such_skill`))
  const human = await impact(bounded, endless)
  expect(human.code).toBe(0)
  expect(human.out).toContain('at most 0 high-impact, 20 write and 0 read calls, on 20 different targets')
  expect(human.out).toContain('the loop each has no bound')
})

test('the impact is compared with the impact budget of the playbook', async () => {
  const limited = (write: number): string => {
    const text = readFileSync(bounded, 'utf8').replace('steps: [', `limits: { impact: { write: ${write} } }\nsteps: [`)
    writeFileSync(join(directory, 'limited.yaml'), text)
    return join(directory, 'limited.yaml')
  }
  expect(await impact(limited(20))).toMatchObject({ code: 0, out: expect.stringContaining('within the budget') })
  const over = await impact(limited(19))
  expect(over).toMatchObject({ code: 1, out: expect.stringContaining('OVER BUDGET: 20 write, but limits.impact.write is 19') })
  expect(await impact('--format', 'json', limited(19))).toMatchObject({ code: 1, out: expect.stringContaining('"write": 20') })
})

test('a file that cannot be read gives exit code 2', async () => {
  expect(await impact(join(directory, 'none.yaml'))).toMatchObject({ code: 2, out: '', err: expect.stringContaining('[file_unreadable]') })
})
