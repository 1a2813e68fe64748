import { afterEach, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import type { Tunnel } from '../../../runtime/relay/agent/index.ts'
import { startAgent } from '../../support/agent.ts'
import { admin, at, create, simulator } from '../connections/connections-system.ts'

let tunnels: Tunnel[] = []
afterEach(() => {
  for (const tunnel of tunnels) tunnel.cut()
  tunnels = []
})

/** Creates and starts an agent. */
async function agentOf(organization: string | null): Promise<{ readonly id: string; readonly log: readonly string[] }> {
  const { made, tunnel, log } = await startAgent(admin, 'plant', organization, [new URL(simulator.url).host])
  tunnels.push(tunnel)
  return { id: String(made['id']), log }
}

test('a connection that names an agent is tested through it, and fails at once without it', async () => {
  const connection = await create({ remote_agent: 'plant' })
  const tested = () => request(admin, 'POST', `${at(connection)}/test`)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
  // An agent of another owner with the same name is no way either.
  const operators = await agentOf(null)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
  const { id, log } = await agentOf('ACME')
  expect(await tested()).toMatchObject({ ok: true, status: 200 })
  expect([operators.log.length, log.includes('connected')]).toEqual([0, true])
  const shown = await request(admin, 'GET', `/platformapi/agents/${id}`)
  expect(shown).toMatchObject({ state: 'online', connections: [{ id: connection['id'], instance: connection['instance'], integration: 'mailsec' }] })
  expect(Number(shown['bytes_received'])).toBeGreaterThan(0)
  await request(admin, 'DELETE', `/platformapi/agents/${id}`)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
})

test('a skill runs through the agent', async () => {
  const { log } = await agentOf('ACME')
  const connection = await create({ remote_agent: 'plant' })
  const answer = await request(admin, 'POST', `${at(connection)}/skills/list_mailsec_accounts`, { input: { email: 'ada@example.com' } })
  expect(answer).toMatchObject({ ok: true })
  expect(log.length).toBeGreaterThan(0)
})
