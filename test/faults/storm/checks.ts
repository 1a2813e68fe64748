import { type Answer, listAll, request, type Target } from '../../../runtime/cli/client.ts'
import type { Acknowledged } from '../../support/sources.ts'
import { violations } from '../invariants.ts'
import type { Ledger } from './ledger.ts'
import { addressOf, type People } from './people.ts'
import { alertNameIn, kinds } from './workload.ts'

/** How a run may end other than completed, where people decline and give up, and what it speaks with is cut. */
const reasons: ReadonlySet<unknown> = new Set(['write_in_doubt', 'approval_declined', 'network', 'call_timeout'])

/** What must hold at the other end when all alerts have ended. Returns what does not, in words. */
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
  return [...wrong, ...(await ofDecisions(target, people)), ...(await ofLost(target, ledger))]
}

function ofAlert(name: string, alert: Answer, ledger: Ledger): string[] {
  const expected = kinds[name.split('.', 1)[0] ?? '']?.(name)
  if (!expected) return [`${name} is of no kind`]
  const all = [...expected.once, ...expected.atLeastOnce]
  if (alert['investigation_status'] === 15) return all.filter((path) => ledger.writes(path) === 0).map((path) => `${name} completed without ${path}`)
  const runs = alert['runs'] as readonly Answer[]
  const code = (runs.at(-1)?.['failure'] as Answer | null | undefined)?.['code']
  return reasons.has(code) ? [] : [`${name} failed: ${JSON.stringify(runs.at(-1)?.['failure'])}`]
}

/** Nothing is left open, and what people were told to have said stands. */
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

/** A write whose answer was lost was asked about, of the target or of people. */
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
