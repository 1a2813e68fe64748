import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { decideUntilEnded } from '../support/api/decisions.ts'

/* `npm run demo -- --empty`, used as its visitor would: with the address and the key that it prints. */

let demo: ChildProcess
let admin: Target

beforeAll(async () => {
  demo = spawn(process.execPath, [fileURLToPath(new URL('demo.ts', import.meta.url)), '--empty'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const line of createInterface({ input: demo.stdout ?? process.stdin })) {
    printed += `${line}\n`
    if (line.includes('Ctrl-C ends the demo')) break
  }
  const [, url = '', key = ''] = /(http:\S+)\/console\/start\n\s+(tsk_\S+)/.exec(printed) ?? []
  admin = { url, key }
})
afterAll(async () => {
  if (demo.exitCode === null) {
    const gone = once(demo, 'exit')
    demo.kill('SIGINT')
    await gone
  }
})

test('leads to a first case: a person approves, and the simulated system is changed', async () => {
  const { items } = await request(admin, 'GET', '/platformapi/connections')
  const connections = items as readonly Answer[]
  expect(connections.map(({ instance }) => instance).toSorted()).toEqual(['browser-simulated', 'crm-simulated', 'mailsec-simulated', 'mfa-simulated'])
  expect(connections.map(({ last_test }) => (last_test as Answer)['ok'])).toEqual([true, true, true, true])
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(admin, 'POST', '/platformapi/providers', { code: 'IDP', name: 'Identity provider' })
  const content = { user: { email: 'ada.lovelace@acme.example' }, pushes: { denied: 18, approved: 1 }, source_ip: '203.0.113.77' }
  const { alert_uuid } = await request(admin, 'POST', '/platformapi/alerts', {
    alert_content: JSON.stringify(content),
    alert_provider: 'IDP',
    organization_code: 'ACME',
    alert_type: 'mfa_fatigue',
  })
  const { alert, decisions } = await decideUntilEnded(admin, alert_uuid)
  expect(decisions).toHaveLength(1)
  expect(alert).toMatchObject({ status_name: 'Completed', case_id: 'ACME-1' })
  const found = await request(admin, 'GET', '/platformapi/cases/ACME-1')
  expect(found).toMatchObject({ title: 'MFA fatigue: ada.lovelace@acme.example', disposition: 'malicious', status: 'contained' })
})

test('ends with Ctrl-C', async () => {
  const ended = once(demo, 'exit')
  demo.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})
