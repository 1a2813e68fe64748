import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import type { MfaSimulator } from '../../simulators/mfa/index.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { type MfaSystem, startMfaSystem } from '../../support/mfa-system.ts'

/*
 * Tests the shipped playbook stolen-credential-used: two sub-playbooks, a script, an approval in a sub-playbook, and a case that alerts join.
 */

const alan = 'alan.turing@acme.example'
let mfa: MfaSystem
let simulator: MfaSimulator
let admin: Target

beforeAll(async () => {
  mfa = await startMfaSystem('LEAKS')
  simulator = mfa.simulator
  admin = mfa.admin
})
beforeEach(() => simulator.reset())
afterAll(() => mfa?.stop())

async function investigate(
  content: object,
  verdict: 'approve' | 'decline',
): Promise<{ readonly found: Answer; readonly decisions: readonly Answer[] }> {
  const body = { alert_content: JSON.stringify(content), alert_provider: 'LEAKS', organization_code: 'ACME', alert_type: 'stolen_credential_used' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body)
  const { alert, decisions } = await decideUntilEnded(admin, posted['alert_id'], verdict)
  expect(alert).toMatchObject({ investigation_status: 15 })
  return { found: await request(admin, 'GET', `/platformapi/cases/${alert['case_id']}`), decisions }
}

test('a declined run changes nothing; the next alert for the same user continues the case and is approved', async () => {
  const declined = await investigate({ user: { email: alan }, source_ip: '198.51.100.23' }, 'decline')
  expect(declined.found).toMatchObject({ title: `Stolen credential of ${alan}`, disposition: 'pending', status: 'analyst_pending' })
  expect(simulator.user(alan)?.status).toBe('ACTIVE')

  const { found, decisions } = await investigate({ email: alan, ip: '198.51.100.24' }, 'approve')
  expect(found).toMatchObject({ case_id: declined.found['case_id'], severity: 'high', disposition: 'malicious', status: 'contained' })
  expect(found['alerts']).toHaveLength(2)
  expect(decisions).toMatchObject([
    { state: 'approved', step: 'decide/contain/connected/decide/ask_suspension', actions: [{ skill: 'mfa.suspend_mfa_user', target: alan }] },
  ])
  expect(found['summary']).toContain('suspended, approved by admin')
  expect(simulator.user(alan)?.status).toBe('SUSPENDED')
})
