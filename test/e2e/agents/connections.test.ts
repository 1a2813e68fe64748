import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { request } from '../../../runtime/cli/client.ts'
import { systemClock } from '../../../runtime/config/index.ts'
import { createAllowList, serveTunnel, signIn, type Tunnel } from '../../../runtime/relay/agent/index.ts'
import { tunnelPath } from '../../../runtime/relay/index.ts'
import { protocol } from '../../../runtime/relay/link/index.ts'
import { admin, at, create, running, simulator } from '../connections/connections-system.ts'

let tunnels: Tunnel[] = []
afterEach(() => {
  for (const tunnel of tunnels) tunnel.cut()
  tunnels = []
})

/** Creates and starts an agent. Returns the lines of its log. */
async function startAgent(name: string, organization: string | null): Promise<{ readonly id: string; readonly log: string[] }> {
  const made = await request(admin, 'POST', '/platformapi/agents', { name, organization_code: organization })
  const socket = new WebSocket(`${running.url.replace('http', 'ws')}${tunnelPath}`, [protocol])
  const { privateKey } = generateKeyPairSync('ed25519')
  const { wire } = await signIn(socket, { privateKey, token: String(made['token']), version: '1.2.3' })
  const log: string[] = []
  const allow = createAllowList([new URL(simulator.url).host])
  tunnels.push(serveTunnel(wire, { allow, clock: systemClock, uptime: () => 1, told: (_target, outcome) => void log.push(outcome) }))
  return { id: String(made['id']), log }
}

test('a connection that names an agent is tested through it, and fails at once without it', async () => {
  const connection = await create({ remote_agent: 'plant' })
  const tested = () => request(admin, 'POST', `${at(connection)}/test`)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
  // An agent of another owner with the same name is no way either.
  const operators = await startAgent('plant', null)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
  const { id, log } = await startAgent('plant', 'ACME')
  expect(await tested()).toMatchObject({ ok: true, status: 200 })
  expect([operators.log.length, log.includes('connected')]).toEqual([0, true])
  const shown = await request(admin, 'GET', `/platformapi/agents/${id}`)
  expect(shown).toMatchObject({ state: 'online', connections: [{ id: connection['id'], instance: connection['instance'], integration: 'mailsec' }] })
  expect(Number(shown['bytes_received'])).toBeGreaterThan(0)
  await request(admin, 'DELETE', `/platformapi/agents/${id}`)
  expect(await tested()).toMatchObject({ ok: false, code: 'agent_offline' })
})

test('a skill runs through the agent', async () => {
  const { log } = await startAgent('plant', 'ACME')
  const connection = await create({ remote_agent: 'plant' })
  const answer = await request(admin, 'POST', `${at(connection)}/skills/list_mailsec_accounts`, { input: { email: 'ada@example.com' } })
  expect(answer).toMatchObject({ ok: true })
  expect(log.length).toBeGreaterThan(0)
})
