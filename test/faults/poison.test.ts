import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, listAll, request, type Target } from '../../runtime/cli/client.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatedRequest, type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { giveUpDoubts, openDecisions } from '../support/api/decisions.ts'
import { askNobody } from '../support/api/policy.ts'
import { addMishap } from '../support/mishaps.ts'
import { backendsAtHand, type Installation, newInstallation } from '../support/processes/installation.ts'
import { startManaged } from '../support/processes/managed.ts'
import type { TocsinProcess } from '../support/processes/tocsin-process.ts'
import { type Sources, startSources } from '../support/sources.ts'
import { until } from '../support/until.ts'
import { violations } from './invariants.ts'
import { unlessAway } from './storm/insist.ts'

const playbook = (type: string, steps: string): string => `format: 1
playbook: ${type}
alert_type: ${type}
inputs: { name: { type: string, from: [content.name], required: true } }
connections: { ledger: { integration: ledger } }
steps:
${steps}
`
const look = (name: string): string => `{ id: look, skill: ledger.look, with: { kind: entries, name: ${name} } }`
const stamp = `{ id: stamp, skill: ledger.stamp_entry, with: { name: '{{ inputs.name }}' } }`
const playbooks = {
  fine: playbook('fine', `  - ${look("'{{ inputs.name }}'")}\n  - ${stamp}`),
  deadly: playbook('deadly', `  - ${look("'deadly-{{ inputs.name }}'")}\n  - ${stamp}`),
  // Kills the process during its write, so nobody knows whether the write happened.
  doubtful: playbook('doubtful', `  - id: both\n    parallel: { branches: { one: [${stamp}], two: [${look("'deadly-{{ inputs.name }}'")}] } }`),
}

const counted = ({ acknowledged }: Sources): number => acknowledged.reduce((sum, source) => sum + source.length, 0)

/** The external system. A process that looks up something deadly is killed. */
describe.each(backendsAtHand('poison runs'))('a run that kills every process that works on it, on %s', (backends) => {
  let installation: Installation
  let system: SimulatorServer
  let tocsin: TocsinProcess
  /** How often each deadly thing was looked up. */
  const looks = new Map<string, number>()
  const stamps = new Map<string, number>()
  let over = false
  /** What starts printed that failed, because MongoDB did not answer in time. */
  const failedStarts: string[] = []
  /** Log lines of the processes at level `error` and above. */
  const log: string[] = []
  let lives = 0
  /** How many alerts of the other organization come for each process. Some are under way when it is killed; more would only cost time. */
  let floodOfLife = 80

  /** Whether the starting process has looked up something deadly before it reported that it listens. */
  let condemned = false
  /**
   * Kills the process that asks. A lookup of `doubt` kills only after the write has arrived, so that the
   * write is in doubt.
   */
  const kill = (name: string): void => {
    if (name === 'deadly-doubt' && !stamps.has('doubt')) return
    const { exitCode, signalCode } = tocsin.child
    if (exitCode === null && signalCode === null) tocsin.child.kill('SIGKILL')
    else condemned = true
  }
  const answer = ({ method, path }: SimulatedRequest): Reply => {
    const name = path.split('/').at(-1) ?? ''
    if (method === 'POST') {
      stamps.set(name, (stamps.get(name) ?? 0) + 1)
      if (name === 'doubt' && looks.has('deadly-doubt')) kill('deadly-doubt')
    }
    if (method === 'GET' && name.startsWith('deadly-')) {
      looks.set(name, (looks.get(name) ?? 0) + 1)
      kill(name)
    }
    return { status: 200, body: JSON.stringify({ there: true, entry: name }) }
  }

  /** Starts the process again, like a service manager. */
  const live = async (): Promise<void> => {
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(join(installation.directory, 'pki')),
      TOCSIN_PLUGINS: join(import.meta.dirname, 'storm/plugins'),
      TOCSIN_PLAYBOOKS: join(installation.directory, 'playbooks'),
    }
    tocsin = await startManaged('up', environment, log, failedStarts)
    lives += 1
    void tocsin
      .ended()
      .then(() => (over ? undefined : live()))
      .catch((error: Error) => addMishap(error, () => error.message))
    if (condemned) tocsin.child.kill('SIGKILL')
    condemned = false
  }
  const target = (): Target => ({ url: tocsin.url, key: installation.adminKey })
  /** A request may fail while processes die, so it is sent again. */
  const ask = (question: () => Promise<Answer>): Promise<Answer> => until(() => unlessAway(question))

  beforeAll(async () => {
    installation = newInstallation(backends)
    const folder = join(installation.directory, 'playbooks')
    mkdirSync(folder)
    for (const [name, text] of Object.entries(playbooks)) writeFileSync(join(folder, `${name}.yaml`), text)
    system = await serveSimulator(answer, { pki: openPki(join(installation.directory, 'pki')), port: 0, remember: 0 })
    await live()
    await request(target(), 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
    for (const code of ['LOUD', 'QUIET']) {
      await request(target(), 'POST', '/platformapi/organizations', { code, name: code })
      await askNobody(target(), code)
      const credentials = { base_url: system.url, api_token: 'token' }
      await request(target(), 'POST', '/platformapi/connections', { instance: 'ledger', integration: 'ledger', organization_code: code, credentials })
    }
  })

  afterAll(async () => {
    over = true
    await tocsin?.stop()
    await system?.close()
    await installation?.remove()
  })

  const post = (type: keyof typeof playbooks, name: string): Promise<Answer> =>
    ask(() =>
      request(target(), 'POST', '/platformapi/alerts', {
        alert_content: JSON.stringify({ name }),
        alert_provider: 'EDR',
        organization_code: 'LOUD',
        alert_type: type,
      }),
    )
  const alertNow = (uuid: unknown): Promise<Answer> => ask(() => request(target(), 'GET', `/platformapi/alerts/${uuid}`))

  test('ends that run and no other', async () => {
    let posted = 0
    const flood = startSources(
      4,
      () => tocsin.url,
      installation.adminKey,
      (source, index) => {
        posted += 1
        return {
          alert_content: JSON.stringify({ name: `fine-${source}-${index}` }),
          alert_provider: 'EDR',
          organization_code: 'QUIET',
          alert_type: 'fine',
        }
      },
      () => posted >= lives * floodOfLife,
    )
    await until(async () => stamps.size >= 10)
    // The answer never comes, so a process that dies meanwhile does not know whether the write happened.
    system.faults.add({ fault: { kind: 'hold' }, times: 9, path: '/stamps/doubt' })
    // A deadly lookup gets no answer either: the process must not continue before it is killed.
    system.faults.add({ fault: { kind: 'hold' }, times: 99, path: '/entries/deadly-' })
    /** The decisions about writes in doubt, by id. */
    const asked = new Set<unknown>()
    const settle = async (): Promise<void> => {
      for (const { id, title } of await openDecisions(target())) if (String(title).includes('ledger.stamp_entry on doubt')) asked.add(id)
      await giveUpDoubts(target())
    }
    // One after the other: a kill by the first must not come between the intent and the write of the second.
    for (const [type, name] of [
      ['deadly', 'one'],
      ['doubtful', 'doubt'],
    ] as const) {
      const { alert_uuid } = await post(type, name)
      const [run] = await until(async () => {
        const { investigation_status: status, runs } = await alertNow(alert_uuid)
        if (status === 20) return runs as Answer[]
        // Answer only after the run was ended because of its deaths. An earlier answer might end it first.
        const [{ deaths } = {}] = (runs ?? []) as Answer[]
        if ((deaths as Answer | undefined)?.['in_a_row'] === 3) await settle().catch(() => null)
        return null
      })
      expect(run).toMatchObject({ state: 'failed', failure: { code: 'process_died' }, retry_at: null })
    }
    expect([...looks.keys()].toSorted()).toEqual(['deadly-doubt', 'deadly-one'])
    // It was not executed a fourth time.
    expect(looks.get('deadly-one')).toBe(3)
    // On a slow machine an execution may last long enough to ask about the write. That is progress, so the
    // count starts again.
    expect(looks.get('deadly-doubt')).toBeLessThanOrEqual(5)
    expect(asked.size).toBe(1)
    expect(stamps.get('doubt')).toBe(1)
    expect(lives).toBeLessThanOrEqual(9)
    // The process that is left takes alerts as before.
    const during = counted(flood)
    floodOfLife *= 2
    await until(async () => counted(flood) > during + 20)
    await flood.stop()
    await until(async () => {
      await giveUpDoubts(target())
      const open = await request(target(), 'GET', '/platformapi/alerts?status=created&status=submitted&status=inprogress&limit=1')
      return (open['items'] as Answer[]).length === 0
    })
    expect(await violations(target(), flood.acknowledged)).toEqual([])
    for await (const { run_id, error } of listAll(target(), '/platformapi/runs?state=failed&organization=QUIET&limit=100')) {
      // The person who was asked whether the write happened answered `give_up`.
      expect({ run_id, code: (error as Answer | null)?.['code'] }).toMatchObject({ code: 'write_in_doubt' })
    }
    // Each of the two is logged twice: that processes died too often, and that the run failed.
    expect(log.filter((line) => !line.includes('Processes died'))).toEqual([])
    expect(log.length).toBeGreaterThanOrEqual(4)
  }, 900_000)
})
