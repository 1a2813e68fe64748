import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { minute, type Planned } from './schedule.ts'
import type { Week } from './week.ts'

const notes = [
  'Called the user. They did not start this.',
  'Same sender as last week; added to the watch list.',
  'Asked the manager whether the trip is real.',
  'Nothing else from this address in the last 30 days.',
  'The customer wants to see the headers first.',
]

/** The analysts work on the case of an ended investigation: they take it, comment, and often close it. */
export async function afterTheEnd(week: Week, { undoneAfter, organization }: Planned, alert: Answer): Promise<void> {
  const { clock, plan, people, random } = week
  const id = alert['case_id']
  if (typeof id !== 'string' || alert['duplicate_of'] !== null) return
  const now = clock.now()
  if (undoneAfter !== undefined) return undoLater(week, alert, now + undoneAfter)
  const found = await request(people.priya, 'GET', `/platformapi/cases/${id}`)
  if (found['status'] === 'closed' || organization === 'LUMEN') return
  const [name, person] = random(5) < 3 ? (['Priya Raman', people.priya] as const) : (['Jonas Weber', people.jonas] as const)
  const takes = now + (4 + random(40)) * minute
  const course = random(10)
  if (course === 0) return
  plan(takes, async () => {
    await change(person, id, { assignee: name, ...(found['status'] === 'contained' ? {} : { status: 'in_progress' }) })
    if (random(2) === 0) await comment(person, id, notes[random(notes.length)] ?? '')
  })
  if (course === 1) return
  if (course === 2) return plan(takes + 35 * minute, () => change(person, id, { status: 'customer_pending' }))
  plan(takes + (20 + random(200)) * minute, async () => {
    if (random(3) === 0) await comment(person === people.priya ? people.jonas : people.priya, id, 'Looked at it too. I agree.')
    const harmless = found['disposition'] !== 'malicious'
    const disposition = harmless ? (['no_threat_found', 'non_malicious_positive', 'malicious'] as const)[random(3)] : 'malicious'
    await change(person, id, { status: 'closed', disposition, ...(disposition === 'malicious' && random(9) === 0 && { severity: 'critical' }) })
  })
}

async function change(person: Target, id: string, changes: object): Promise<void> {
  await request(person, 'PATCH', `/platformapi/cases/${id}`, changes)
}

async function comment(person: Target, id: string, text: string): Promise<void> {
  await request(person, 'POST', `/platformapi/cases/${id}/comments`, { text })
}

/** The containment turns out to be wrong: the user was on the phone with support. */
function undoLater({ plan, people, clock }: Week, alert: Answer, at: number): void {
  const run = (alert['runs'] as readonly Answer[]).at(-1)?.['run_id']
  plan(at, async () => {
    const path = `/platformapi/runs/${String(run)}/undo`
    await request(people.priya, 'POST', path, { reason: 'The user was on the phone with support, who sent the pushes' })
    await undone(path, people.priya)
    await comment(people.priya, String(alert['case_id']), 'Support started these pushes while they set up the new phone. The user works again.')
    await comment(people.jonas, String(alert['case_id']), 'My mistake. I have asked support to announce such sessions.')
    clock.pass(1_000)
  })
}

async function undone(path: string, person: Target): Promise<void> {
  for (let looks = 0; looks < 2_000; looks += 1) {
    const { undo } = await request(person, 'GET', path)
    if (undo !== null && (undo as Answer)['state'] !== 'running') return
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  throw new Error('The undo of the demo did not end.')
}
