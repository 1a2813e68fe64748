import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { request, type Target } from '../../../runtime/cli/client.ts'
import type { MfaSimulator } from '../../simulators/mfa/index.ts'
import { decideUntilEnded, openDecisions } from '../../support/api/decisions.ts'
import { type MfaSystem, mfaCredentials, startMfaSystem, suspendUser } from '../../support/mfa-system.ts'

/*
 * A run of the shipped playbook mfa-fatigue suspends a user. These tests undo it with the command line and the API, and check the simulated
 * MFA provider.
 */

const alan = 'alan.turing@acme.example'
const main = join(import.meta.dirname, '../../../runtime/tocsin.js')
let mfa: MfaSystem
let simulator: MfaSimulator
let admin: Target

beforeAll(async () => {
  mfa = await startMfaSystem('IDP')
  simulator = mfa.simulator
  admin = mfa.admin
})
beforeEach(() => simulator.reset())
afterAll(() => mfa?.stop())

/** Completes a run that suspends the user. Returns its run_id and its alert. */
async function suspended(): ReturnType<typeof suspendUser> {
  const done = await suspendUser(mfa, 'IDP')
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
  return done
}

async function command(...given: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const environment = { ...process.env, TOCSIN_URL: admin.url, TOCSIN_API_KEY: admin.key, NO_COLOR: '1' }
  try {
    const done = promisify(execFile)(process.execPath, ['--no-node-snapshot', main, 'run', 'undo', ...given], { env: environment })
    done.child.stdin?.end()
    return { code: 0, ...(await done) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

test('tocsin run undo shows the plan, carries it out, and shows the result', async () => {
  const { run, alert } = await suspended()
  const plan = await command(run, '--plan')
  expect(plan.stdout).toMatch(/WRITE +ON +WITH +UNDONE BY +NOTE\nmfa\.suspend_mfa_user +alan\.turing@acme\.example +mfa +mfa\.activate_mfa_user/)
  expect(plan.code).toBe(0)
  // Without a yes, it does nothing.
  const asked = await command(run)
  expect(asked.code).not.toBe(0)
  expect(asked.stderr).toContain('write_not_confirmed')
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')

  const writes = simulator.counts.writes
  const done = await command(run, '--yes', '--reason', 'He was on holiday, with his phone.')
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/completed[\s\S]*mfa\.suspend_mfa_user .*undone/) })
  expect(simulator.user(alan)?.status).toBe('ACTIVE')
  expect(simulator.counts.writes).toBe(writes + 1)

  // The undo happens once: a second call only shows its result.
  const again = await command(run, '--yes', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({
    run_id: run,
    plan: { steps: [], left: [{ code: 'undo_done' }] },
    undo: { run: { run_id: `${run}-u1`, undoes: run, state: 'completed', attempt: 1 }, request_reason: 'He was on holiday, with his phone.' },
  })
  expect(simulator.counts.writes).toBe(writes + 1)

  // The undo changes nothing about the alert except its case.
  const { case: before, runs: _, ...investigated } = alert
  const undone = { by: 'admin', reason: 'He was on holiday, with his phone.', state: 'undone', undone: 1, standing: 0, in_doubt: 0 }
  expect(before).toMatchObject({ status: 'contained', attention: [], superseded: null })
  const after = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)
  expect(after).toMatchObject({
    ...investigated,
    case: { status: 'analyst_pending', attention: [{ kind: 'undo', undo: undone }], superseded: undone },
    runs: [{ undone_by: [{ run_id: `${run}-u1`, state: 'completed', by: 'admin', reason: 'He was on holiday, with his phone.' }] }],
  })
  const { timeline, ...found } = await request(admin, 'GET', `/platformapi/cases/${alert['case_id']}`)
  expect(found).toMatchObject({
    status: 'analyst_pending',
    superseded: undone,
    writes: [{ skill: 'mfa.suspend_mfa_user', target: alan, state: 'undone', undo: { run_id: `${run}-u1`, by: 'admin' } }],
  })
  const { items } = await request(admin, 'GET', '/platformapi/cases?attention=true')
  expect(items).toMatchObject([{ case_id: alert['case_id'] }])
  expect(timeline).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'undo',
        undoes: run,
        text: expect.stringContaining('He was on holiday'),
        actor: { principal_uuid: expect.any(String), name: 'admin' },
        status: 'analyst_pending',
      }),
      expect.objectContaining({
        kind: 'action',
        skill: 'mfa.activate_mfa_user',
        target: alan,
        outcome: 'done',
        actor: { run: `${run}-u1`, step: 'undo-1', name: 'admin' },
      }),
    ]),
  )
  expect(await request(admin, 'GET', `/platformapi/runs/${run}`)).toMatchObject({ undone_by: [{ run_id: `${run}-u1`, by: 'admin' }] })
  expect(await request(admin, 'GET', `/platformapi/runs/${run}-u1`)).toMatchObject({
    undone_by: [],
    undoes: run,
    requested_by: { by: 'admin', reason: 'He was on holiday, with his phone.' },
  })
  expect(await request(admin, 'GET', `/platformapi/runs/${run}-u1/steps`)).toMatchObject({
    items: [{ address: 'undo-1', kind: 'skill', state: 'done', skill: 'mfa.activate_mfa_user', target: alan, input: { value: { username: alan } } }],
    states: { done: 1 },
    note: null,
    inputs: {},
  })
})

test('an undo that waits for people says so; after the answer, the same command shows its result', async () => {
  await request(admin, 'PUT', '/platformapi/organizations/ACME/policy', {
    text: 'format: 1\napprovals: { skills: { mfa.activate_mfa_user: ask } }\n',
  })
  const { run } = await suspended()
  expect((await command(run, '--plan')).stdout).toContain('an approval')
  const waits = await command(run, '--yes')
  expect(waits).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/waiting[\s\S]*pending/),
    stderr: expect.stringContaining('tocsin decision show'),
  })
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
  const [open] = await openDecisions(admin)
  expect(open).toMatchObject({ run: `${run}-u1`, playbook: 'undo of mfa-fatigue' })
  await request(admin, 'POST', `/platformapi/decisions/${open?.['id']}`, { verdict: 'approve' })
  expect(await command(run)).toMatchObject({ code: 0, stdout: expect.stringContaining('completed') })
  expect(simulator.user(alan)?.status).toBe('ACTIVE')
})

test('an undo is refused, with the reasons, if no write of the run can be undone', async () => {
  const { alert } = await suspended()
  // The second run finds the user already suspended, and changes nothing.
  const body = { alert_content: alert['alert_content'], alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'mfa_fatigue' }
  const again = await request(admin, 'POST', '/platformapi/alerts', body)
  await decideUntilEnded(admin, again['alert_id'], 'approve')
  const refused = await command(`${again['alert_uuid']}-r1`, '--yes')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/No write of this run can be undone[\s\S]*undo_nothing/) })
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
})

test('a connection that now leads to another system is not used', async () => {
  const { run } = await suspended()
  const { connection } = mfa
  const other = { credentials: { ...mfaCredentials(simulator), idp_url: simulator.idpUrl.replace(/\/\/[^/]+/, '//elsewhere.example') } }
  await request(admin, 'PATCH', `/platformapi/connections/${connection['id']}`, { revision: connection['revision'], ...other })
  const shown = await request(admin, 'GET', `/platformapi/runs/${run}/undo`)
  expect(shown['plan']).toMatchObject({ steps: [], left: [{ code: 'undo_connection_moved', remedy: expect.any(String) }] })
  await expect(request(admin, 'POST', `/platformapi/runs/${run}/undo`, {})).rejects.toMatchObject({ status: 409, problem: { code: 'undo_nothing' } })
  // The undo is possible once the connection leads to the first system again.
  const now = await request(admin, 'GET', `/platformapi/connections/${connection['id']}`)
  const back = { credentials: mfaCredentials(simulator) }
  await request(admin, 'PATCH', `/platformapi/connections/${connection['id']}`, { revision: now['revision'], ...back })
  expect((await request(admin, 'GET', `/platformapi/runs/${run}/undo`))['plan']).toMatchObject({
    steps: [{ skill: 'mfa.activate_mfa_user' }],
    left: [],
  })
})
