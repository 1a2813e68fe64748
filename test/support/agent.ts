import { generateKeyPairSync } from 'node:crypto'
import { WebSocket } from 'ws'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { systemClock } from '../../runtime/config/index.ts'
import { createAllowList, serveTunnel, signIn, systemNames, type Tunnel } from '../../runtime/relay/agent/index.ts'
import { tunnelPath } from '../../runtime/relay/index.ts'
import { protocol } from '../../runtime/relay/link/index.ts'

/** A remote agent in the process of the test. */
export interface StartedAgent {
  /** What the platform answered when it was created. */
  readonly made: Answer
  readonly tunnel: Tunnel
  /** What came of each connection. */
  readonly log: readonly string[]
}

/** Creates an agent at a running Tocsin, and connects it. @param allow its allow-list */
export async function startAgent(admin: Target, name: string, organization: string | null, allow: readonly string[]): Promise<StartedAgent> {
  const made = await request(admin, 'POST', '/platformapi/agents', { name, organization_code: organization })
  const socket = new WebSocket(`${admin.url.replace('http', 'ws')}${tunnelPath}`, [protocol])
  const { privateKey } = generateKeyPairSync('ed25519')
  const { wire } = await signIn(socket, { privateKey, token: String(made['token']), version: '1.2.3' })
  const log: string[] = []
  const told = (_target: unknown, outcome: string): void => void log.push(outcome)
  return { made, tunnel: serveTunnel(wire, { names: systemNames, allow: createAllowList(allow), clock: systemClock, uptime: () => 1, told }), log }
}
