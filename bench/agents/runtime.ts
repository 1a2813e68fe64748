import { readFileSync } from 'node:fs'
import { systemClock } from '../../runtime/config/index.ts'
import { asId, type Principal, type PrincipalId, systemScope } from '../../runtime/domain/index.ts'
import { createEgress, type OutboundRequest } from '../../runtime/egress/index.ts'
import { noOthers } from '../../runtime/relay/index.ts'
import { Member } from '../../test/relay/support/member.ts'
import { openUnhurriedStore } from '../../test/support/stores/unhurried-store.ts'

export type Way = 'direct' | 'agent'

/** What Tocsin has of the calls that are measured: its egress, and the runtime's end of the tunnel. */
export interface Runtime {
  readonly address: string
  /** The enrolment token of the agent. */
  readonly token: string
  /** Resolves when the agent is there. */
  connected(): Promise<void>
  /** Makes short calls. */
  short(way: Way, calls: number, atOnce: number): Promise<void>
  /** Reads one large answer. */
  log(way: Way, megabytes: number): Promise<void>
  close(): Promise<void>
}

const operator: Principal = {
  id: asId<PrincipalId>('p'),
  name: 'operator',
  permissions: ['admin'],
  organizations: 'all',
  createdAt: 1,
  createdBy: null,
}

/** @param system the address of the system that is called. @param ca the file of its certificate */
export async function openRuntime(system: string, ca: string): Promise<Runtime> {
  const member = await new Member({ store: openUnhurriedStore(systemClock), directory: noOthers, clock: systemClock }).open()
  const { token, view } = await member.relay.agents.create(operator, { name: 'plant', organizationCode: null })
  const egress = createEgress({ ca: [readFileSync(ca, 'utf8')], allow: ['127.0.0.1'], connections: 200 }, systemClock)
  const request = (way: Way, path: string, maxAnswer: number): OutboundRequest => ({
    method: 'GET',
    url: new URL(path, system),
    headers: { authorization: 'Bearer token' },
    body: null,
    origins: [system],
    route: way === 'direct' ? null : member.relay.route({ organization: null, remoteAgent: 'plant' }),
    timeout: 600_000,
    maxAnswer,
    sendBy: null,
  })
  return {
    address: member.url,
    token,
    async connected() {
      while ((await member.relay.agents.get(systemScope, view.agent.id)).tunnels.length === 0) await systemClock.sleep(20)
    },
    async short(way, calls, atOnce) {
      let left = calls
      const caller = async (): Promise<void> => {
        while (left-- > 0) {
          const result = await egress.call(request(way, '/short', 10_000))
          if (result.effect !== 'done' || result.answer.status !== 200) throw new Error(JSON.stringify(result))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, caller))
    },
    async log(way, megabytes) {
      const bytes = megabytes * 1024 * 1024
      const result = await egress.open(request(way, `/log?megabytes=${megabytes}`, bytes), new AbortController().signal)
      if (result.effect !== 'done') throw new Error(JSON.stringify(result))
      let size = 0
      for await (const part of result.answer.body) size += part.length
      if (size !== bytes) throw new Error(`${size} of ${bytes} bytes came`)
    },
    async close() {
      await egress.close()
      await member.close()
    },
  }
}
