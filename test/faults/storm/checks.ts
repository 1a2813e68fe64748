import { type Answer, listAll, request, type Target } from '../../../runtime/cli/client.ts'
import type { Acknowledged } from '../../support/sources.ts'
import { violations } from '../invariants.ts'
import type { Ledger } from './ledger.ts'
import { addressesOf, addressOf, type People } from './people.ts'
import { alertNameIn, kinds, organizationOfAlert, organizations, quota, site, writeTime } from './workload.ts'

/** Failure codes that runs may end with here: people decline and give up, connections are cut, and clocks jump. */
const reasons: ReadonlySet<unknown> = new Set(
  'write_in_doubt approval_declined quota_declined run_cancelled network call_timeout send_too_late'.split(' '),
)
/** The same where the external system is reached through remote agents. */
const reasonsOfSite: ReadonlySet<unknown> = new Set([...reasons, 'agent_offline'])
/** Clocks are read, and requests written, a little apart from each other. In milliseconds. */
const inaccuracy = 250

/**
 * Checks what must be true at the external system when all alerts have ended.
 * @returns the violations, in words
 */
export async function wrongAtTheOtherEnd(
  target: Target,
  ledger: Ledger,
  people: People,
  acknowledged: readonly (readonly Acknowledged[])[],
): Promise<string[]> {
  const wrong = await violations(target, acknowledged)
  const ended = new Map<string, Answer>()
  for await (const { alert_uuid, alert_name } of listAll(target, '/platformapi/alerts?limit=100'))
    ended.set(String(alert_name), await request(target, 'GET', `/platformapi/alerts/${String(alert_uuid)}`))
  for (const [name, alert] of ended) wrong.push(...ofAlert(name, alert, ledger))
  for (const path of ledger.written) {
    if (!path.startsWith('/entries/') && ledger.writes(path) > 1) wrong.push(`${path} was written ${ledger.writes(path)} times`)
    if (!ended.has(alertNameIn(path))) wrong.push(`${path} was written for an alert that is not there`)
  }
  wrong.push(...ofQuota(ledger, people), ...ofTold(ledger), ...(await ofCancelled(target, people)))
  return [...wrong, ...(await ofDecisions(target, people)), ...(await ofLost(target, ledger))]
}

/** Returns facts that no webhook was told about yet. */
export async function untold(target: Target, ledger: Ledger): Promise<readonly string[]> {
  const facts: string[] = []
  for await (const { id } of listAll(target, '/platformapi/decisions?limit=100')) facts.push(`decision.opened ${String(id)}`)
  for await (const { case_id } of listAll(target, '/platformapi/cases?limit=100')) facts.push(`case.opened ${String(case_id)}`)
  for await (const { run_id, state } of listAll(target, '/platformapi/runs?limit=100'))
    if (state === 'failed') facts.push(`run.failed ${String(run_id)}`)
  const told = new Set(ledger.told.values())
  return facts.filter((fact) => !told.has(fact))
}

/** Checks deliveries. A receiver recognises repeats by the id of the delivery. */
function ofTold({ told }: Ledger): string[] {
  const facts = [...told.values()]
  return [...new Set(facts)]
    .filter((fact) => facts.indexOf(fact) !== facts.lastIndexOf(fact))
    .map((fact) => `${fact} was told as two different things`)
}

function ofQuota({ written }: Ledger, { said, seen }: People): string[] {
  return organizations.flatMap((organization) => {
    const own = (path: string): boolean => organizationOfAlert(alertNameIn(path)) === organization
    const approved = [...seen].filter(
      ([id, decision]) => decision['kind'] === 'quota' && said.get(id) !== 'decline' && own(addressOf(decision)),
    ).length
    const sent = written.filter((path) => path.startsWith(quota.path) && own(path)).length
    return sent > quota.calls + approved
      ? [`${sent} calls of ${quota.skill} left for ${organization}, ${quota.calls} are free and ${approved} were approved`]
      : []
  })
}

/**
 * Checks that no write arrived later than it was to leave. Only for processes whose clocks are right.
 * @returns the violations, in words
 */
export async function lateAtTheOtherEnd(target: Target, ledger: Ledger): Promise<string[]> {
  const tries = await triesOf(target)
  return ledger.written.flatMap((path) => {
    const began = [...(tries.get(path) ?? []), ...(tries.get(alertNameIn(path)) ?? [])]
    return ledger
      .arrivals(path)
      .filter((arrival) => !began.some((at) => arrival <= at + writeTime + inaccuracy))
      .map((arrival) => `${path} was written ${arrival - Math.max(...began)} ms after its last try began, which had ${writeTime} ms to leave`)
  })
}

/** Returns when the tries of each address began. A step that was interrupted may not say its target: its tries are those of the alert. */
async function triesOf(target: Target): Promise<ReadonlyMap<string, readonly number[]>> {
  const tries = new Map<string, number[]>()
  for await (const { alert_uuid, alert_name } of listAll(target, '/platformapi/alerts?limit=100')) {
    const { runs } = await request(target, 'GET', `/platformapi/alerts/${String(alert_uuid)}`)
    for (const { run_id } of runs as readonly Answer[])
      for await (const { skill, target: of, attempts } of listAll(target, `/platformapi/runs/${String(run_id)}/steps?limit=100`)) {
        const began = (attempts as readonly Answer[]).map(({ at }) => Number(at))
        const paths = of === null ? [String(alert_name)] : addressesOf(skill, String(of))
        for (const path of paths) tries.set(path, [...(tries.get(path) ?? []), ...began])
      }
  }
  return tries
}

async function ofCancelled(target: Target, { cancelled }: People): Promise<string[]> {
  const wrong: string[] = []
  for (const run of cancelled) {
    const { state } = await request(target, 'GET', `/platformapi/runs/${run}`)
    if (state !== 'failed') wrong.push(`the cancellation of ${run} was acknowledged, and it is ${String(state)}`)
  }
  return wrong
}

function ofAlert(name: string, alert: Answer, ledger: Ledger): string[] {
  const expected = kinds[name.split('.', 1)[0] ?? '']?.(name)
  if (!expected) return [`${name} is of no kind`]
  const all = [...expected.once, ...expected.atLeastOnce]
  if (alert['investigation_status'] === 15) return all.filter((path) => ledger.writes(path) === 0).map((path) => `${name} completed without ${path}`)
  const runs = alert['runs'] as readonly Answer[]
  const code = (runs.at(-1)?.['failure'] as Answer | null | undefined)?.['code']
  const allowed = organizationOfAlert(name) === site.organization ? reasonsOfSite : reasons
  return allowed.has(code) ? [] : [`${name} failed: ${JSON.stringify(runs.at(-1)?.['failure'])}`]
}

/** Checks that no decision is left open, and that acknowledged answers are stored. */
async function ofDecisions(target: Target, { said }: People): Promise<string[]> {
  const wrong: string[] = []
  const found = new Map<string, Answer>()
  for await (const decision of listAll(target, '/platformapi/decisions?limit=100')) found.set(String(decision['id']), decision)
  for (const [id, { state }] of found) if (state === 'open') wrong.push(`decision ${id} is open, and nobody waits for it`)
  for (const [id, verdict] of said) {
    const answers = (found.get(id)?.['answers'] ?? []) as readonly Answer[]
    if (!answers.some((answer) => answer['verdict'] === verdict)) wrong.push(`${verdict} of decision ${id} was acknowledged and is gone`)
  }
  return wrong
}

/** Checks that each write whose answer was lost was settled by a probe or by people. */
async function ofLost(target: Target, ledger: Ledger): Promise<string[]> {
  const asked = new Set<string>()
  for await (const decision of listAll(target, '/platformapi/decisions?kind=in_doubt&limit=100')) asked.add(addressOf(decision))
  return [...ledger.lost]
    .filter(([path, at]) => {
      if (path.startsWith('/posts/')) return ledger.lookedAt(path) < at && !asked.has(path)
      return path.startsWith('/stamps/') && !asked.has(path)
    })
    .map(([path]) => `the answer to ${path} was lost, and nobody was asked about it`)
}
