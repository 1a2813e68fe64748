import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../runtime/cli/client.ts'
import { fetchRecording, listRuns } from '../../runtime/cli/run-recordings.ts'
import { openWorld, recordTest, type World } from '../../runtime/rehearsal/index.ts'
import { pluginsFolder } from '../plugins/fixtures.ts'
import { tocsin as command } from '../support/processes/in-process.ts'
import { playbookFolder } from './command.ts'
import { LookedAfter, playbook } from './looked-after.ts'

let tocsin: LookedAfter
let world: World
let runs: readonly Answer[]
const folder = playbookFolder({ 'looked-after.yaml': playbook })
const alan = 'alan.turing@acme.example'

beforeAll(async () => {
  world = await openWorld({ plugins: [pluginsFolder], playbooks: [] })
  tocsin = await LookedAfter.start()
  for (const email of [alan, 'nobody@acme.example'])
    await tocsin.one.investigate({ user: { email, name: 'Alan Turing' }, ip: '81.2.69.142', key: 'sk9f8e7d6c5b4a3f2e1d' })
  runs = (await listRuns(tocsin.one.admin, { limit: 10 }, Date.now())).toReversed()
})
afterAll(async () => {
  await tocsin?.stop()
  folder.remove()
})

test('a run becomes a test that passes against its playbook, without personal data', async () => {
  const file = join(folder.folder, 'looked-after.test.yaml')
  const recorded = await tocsin.tocsin('run', 'record', String(runs[0]?.['run_id']), '-o', file)
  expect(recorded).toMatchObject({ code: 0, err: '' })
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/alan|turing|acme|81\.2\.69\.142|sk9f8e7d6c5b4a3f2e1d/i)
  expect(text).toContain('skill: mfa.suspend_mfa_user')
  expect(text).toMatch(/username: person\d@host\d\.example/)
  const { code, out } = await command(['playbook', 'test', folder.folder])
  expect(out).toContain('1 passed')
  expect(code).toBe(0)
  expect((await tocsin.tocsin('run', 'record', String(runs[0]?.['run_id']), '-o', file)).err).toContain('--force')
})

test('the test of a run that skipped protected targets protects them too', async () => {
  const recording = await fetchRecording(tocsin.one.admin, String(runs[0]?.['run_id']))
  const left = {
    ...recording,
    decided: { ...recording.decided, 'active/suspend#protected': { target: alan, reason: 'Break glass' } },
    answers: recording.answers.filter(({ step }) => step !== 'active/suspend'),
  }
  const { text } = await recordTest(world, left, [])
  expect(text).toMatch(/protected:\n {6}- names:\n {10}- person\d@host\d\.example\n {8}skills:\n {10}- mfa\.suspend_mfa_user\n/)
  expect(text).not.toContain('skill: mfa.suspend_mfa_user')
})

test('the test of a failed run expects the same failure', async () => {
  const { text } = await recordTest(world, await fetchRecording(tocsin.one.admin, String(runs[1]?.['run_id'])), [])
  expect(text).toContain('error: user_not_found')
  expect(text).toContain('failed_step: look')
  expect(text).not.toContain('nobody@acme')
})

test('refuses a run whose way depends on a replaced value, unless the value is kept', async () => {
  const recording = await fetchRecording(tocsin.one.admin, String(runs[0]?.['run_id']))
  const edited = playbook
    .replace('ACTIVE] }', 'ACTIVE] }\n    on_error: continue')
    .replace("{ '==': [{ var: steps.look.output.status }, ACTIVE] }", '{ ends_with: [{ var: inputs.user }, me.example] }')
  const hanging = { ...recording, playbook: { ...recording.playbook, text: edited } }
  await expect(recordTest(world, hanging, [])).rejects.toThrow('With substitutes it takes another way: mfa.suspend_mfa_user at active/suspend')
  expect((await recordTest(world, hanging, ['acme.example'])).text).toContain('@acme.example')
})

test('refuses a run whose way depends on what a test cannot express, and does not suggest to keep a value', async () => {
  const recording = await fetchRecording(tocsin.one.admin, String(runs[0]?.['run_id']))
  const text = playbook.replace("{ '==': [{ var: steps.look.output.status }, ACTIVE] }", "{ '==': [{ var: run.attempt }, 2] }")
  const hanging = { ...recording, attempt: 2, playbook: { ...recording.playbook, text } }
  const refused = await recordTest(world, hanging, []).catch((error: Error) => error.message)
  expect(refused).toContain('As a test it takes another way, even without substitutes: mfa.')
  expect(refused).not.toContain('--keep')
})

test('records a run even if the environment has settings that only a server refuses', async () => {
  const { url, key } = tocsin.one.admin
  const recorded = await command(['run', 'record', String(runs[0]?.['run_id']), '--url', url, '--key', key], { MONGODB_URL: 'mongodb://alone' })
  expect(recorded).toMatchObject({ code: 0, err: '' })
})

test('refuses a run that is still running or whose playbook is gone', async () => {
  const recording = await fetchRecording(tocsin.one.admin, String(runs[0]?.['run_id']))
  await expect(recordTest(world, { ...recording, playbook: { ...recording.playbook, text: null } }, [])).rejects.toThrow(
    'no longer has the text of its playbook',
  )
  await expect(recordTest(world, { ...recording, state: 'running' }, [])).rejects.toThrow('still running')
})

test('lists and shows runs', async () => {
  const listed = await tocsin.tocsin('run', 'list', '--playbook', 'looked-after')
  expect(listed.out).toContain(String(runs[0]?.['run_id']))
  expect(listed.out).toContain('user_not_found')
})

test('shows a run with the reason for each step, and a step with everything that it saw', async () => {
  const id = String(runs[0]?.['run_id'])
  const show = async (...options: readonly string[]): Promise<string> => (await tocsin.tocsin('run', 'show', id, ...options)).out
  const user = 'alan.turing@acme.example'
  const all = await show()
  expect(all).toContain('Steps: 5 done\n')
  expect(all).toMatch(/look {2}mfa\.get_mfa_user_details via mfa {2}done/)
  expect(all).toMatch(/active {2}if {2}yes: steps\.look\.output\.status == "ACTIVE" is true \(it is "ACTIVE"\)/)
  expect(all).toMatch(new RegExp(`suspend {2}mfa\\.suspend_mfa_user on ${user} via mfa {2}done`))
  expect(await show('--steps', '--within', 'active')).toMatch(/ACTIVE[\s\S]*input +\{"username":"alan\.turing@acme\.example"\}/)
  expect(await show('--failed')).toContain('Steps: 5 done\n')
  expect(await show('--step', 'look')).toMatch(/output +\{\n[\s\S]*"status": "ACTIVE"/)
  expect(JSON.parse(await show('--step', 'look', '--value', 'output'))).toMatchObject({ status: 'ACTIVE' })
  expect(JSON.parse(await show('--json'))).toMatchObject({ run_id: id })
  expect(JSON.parse(await show('--steps', '--json', '--limit', '2'))).toMatchObject({ total: 5, items: [{ address: 'look' }, { address: 'active' }] })
  const refused = await tocsin.tocsin('run', 'show', id, '--step', 'nowhere')
  expect(refused.err).toContain('[step_unknown]')
  expect((await tocsin.tocsin('run', 'show', id, '--value', 'output')).err).toContain('--value needs --step')
})
