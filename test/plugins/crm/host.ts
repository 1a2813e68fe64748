import { createSender } from '../../../runtime/connection/send/way-out.ts'
import { asId, type ConnectionId, type Json, systemScope } from '../../../runtime/domain/index.ts'
import { createEgress } from '../../../runtime/egress/index.ts'
import { noTurns } from '../../../runtime/fairness/index.ts'
import { type CallResult, callProbe, callSkill, type HandlerHost, type Plugin, passingActs } from '../../../runtime/plugin/index.ts'
import { openMemoryStore } from '../../../runtime/storage/embedded/index.ts'
import { SleeplessClock } from '../../support/clocks/sleepless-clock.ts'
import { connectionOf } from '../../support/connection.ts'
import { processOver, vault } from '../../support/records.ts'

export interface CrmCredentials {
  readonly instanceUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The other plain fields: auth_url, api_version. */
  readonly more?: Readonly<Record<string, string>>
}

export interface CrmHost extends HandlerHost {
  /** The lines that handlers logged. */
  readonly lines: string[]
  /** Calls a skill. Input that does not fit the skill's schema is an error of the test. */
  call(id: string, input: Json): Promise<CallResult>
  /** Tests the connection, with a token of its own. */
  test(): Promise<CallResult | null>
  close(): Promise<void>
}

/**
 * Makes a host that works like the runtime: it seals the secret, gets a token, detects the version,
 * and sends through the real way out.
 */
export async function crmHost(
  plugin: Plugin,
  ca: string,
  { instanceUrl, clientId, clientSecret, more = {} }: CrmCredentials,
  now: number,
): Promise<CrmHost> {
  const clock = new SleeplessClock(now)
  const store = openMemoryStore(clock)
  const egress = createEgress({ ca: [ca], allow: ['127.0.0.1'] }, clock)
  const deps = processOver(store, egress, clock)
  const id = asId<ConnectionId>('0197a000-0000-7000-8000-00000000c00c')
  const connection = connectionOf({
    id,
    integration: 'crm',
    fields: { instance_url: instanceUrl, client_id: clientId, ...more },
    secrets: { client_secret: vault.seal(id, 'client_secret', clientSecret) },
  })
  await store.connections.create(systemScope, connection)
  const { signal } = new AbortController()
  const sending = { plugin, connection, lane: 'test', deadline: { timeout: 30_000, sendBy: null, signal } }
  const sender = createSender(deps, sending)
  const lines: string[] = []
  const host: HandlerHost = {
    key: 'simulated-call-key',
    fields: connection.fields,
    ...sender,
    isolates: deps.isolates,
    owner: 'acme',
    turns: noTurns,
    acts: passingActs(clock, 30_000),
    clock,
    timeout: 30_000,
    patience: 60_000,
    signal,
    log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  }
  return {
    ...host,
    lines,
    async call(name, input) {
      const skill = plugin.skills.get(name)
      if (!skill) throw new Error(`no skill ${name}`)
      const checked = skill.checkInput(input)
      if (checked.faults.length > 0) throw new Error(checked.faults.join('; '))
      return callSkill(plugin, skill, checked.input, host)
    },
    test: () => callProbe(plugin, 'test', { ...host, ...createSender(deps, { ...sending, anew: true }) }),
    close: async () => {
      await deps.isolates.close()
      await egress.close()
      store.close()
    },
  }
}
