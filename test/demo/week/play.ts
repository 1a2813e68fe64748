import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import type { Millis } from '../../../runtime/domain/index.ts'
import { seeded } from '../../support/seeded.ts'
import type { DemoClock } from '../clock.ts'
import type { Systems } from '../systems.ts'
import { afterTheEnd } from './analysts.ts'
import { day, type Planned, weekOfAlerts } from './schedule.ts'
import { type Actors, activateOwn, setUpWeek } from './set-up.ts'
import { makeTrouble } from './trouble.ts'
import type { Week } from './week.ts'

interface Act {
  readonly at: Millis
  readonly rank: number
  readonly act: () => Promise<void>
}

/** How long to wait between two looks at a run, in real milliseconds, and how many times to look. */
const look = { every: 12, times: 5_000 }

/**
 * Plays a week of alerts. Each alert is posted to the API at its time on the demo's clock. The engine investigates it with the shipped
 * playbooks, and two analysts work on its case.
 * @param progress is called with the number of alerts posted, and of all
 */
export async function playWeek(
  admin: Actors['admin'],
  clock: DemoClock,
  systems: Systems,
  end: Millis,
  progress: (done: number, all: number) => void,
): Promise<Actors> {
  const acts: Act[] = []
  let rank = 0
  const actors = await setUpWeek(admin, systems, end)
  const plan: Week['plan'] = (at, act) => {
    rank += 1
    if (at < end) acts.push({ at, rank, act })
  }
  const week: Week = { ...actors, clock, systems, end, plan, random: seeded(7), answered: new Set() }
  const alerts = weekOfAlerts()
  let posted = 0
  for (const planned of alerts)
    plan(end - planned.ago, async () => {
      await postAndFollow(week, planned)
      posted += 1
      progress(posted, alerts.length)
    })
  plan(end - 7 * day, () => activateOwn(admin, (text) => text.replace(', 50] }', ', 30] }')))
  plan(end - 2 * day, () => activateOwn(admin))
  plan(end - 20 * 60_000, () => pauseForMaintenance(week))
  for (;;) {
    acts.sort((a, b) => a.at - b.at || a.rank - b.rank)
    const next = acts.shift()
    if (!next) return actors
    clock.goTo(next.at)
    await next.act()
  }
}

async function pauseForMaintenance({ people }: Week): Promise<void> {
  const body = { organization: 'LUMEN', reason: 'Their e-mail security is being moved; until then every investigation would fail' }
  await request(people.jonas, 'POST', '/platformapi/pauses', body)
}

async function postAndFollow(week: Week, planned: Planned): Promise<void> {
  const { type, content, organization, provider } = planned
  const ended = makeTrouble(week.systems, planned.trouble, 'beginning')
  const body = {
    alert_content: typeof content === 'string' ? content : JSON.stringify(content),
    alert_provider: provider,
    organization_code: organization,
    ...(type !== null && { alert_type: type }),
    created_at_source: week.clock.now() - 20_000,
  }
  const { alert_id } = await request(week.source, 'POST', '/platformapi/alerts', body)
  if (type !== null) await follow(week, planned, String(alert_id))
  ended()
}

/** Waits until the investigation ends or sleeps. If it sleeps, plans what wakes it. */
async function follow(week: Week, planned: Planned, alert: string): Promise<void> {
  const { clock } = week
  const rest = await restOf(week, alert)
  if (rest.kind === 'held') return
  if (rest.kind === 'ended') return afterTheEnd(week, planned, rest.alert)
  const goOn = (): Promise<void> => follow(week, planned, alert)
  const wake = async (): Promise<void> => {
    clock.beat()
    await goOn()
  }
  if (rest.decision === null) return void week.plan(rest.wakesAt, wake)
  // Writes in doubt are left to the visitor.
  if (rest.asksAbout === 'in_doubt') return
  const { verdict, by, after, reason } = planned.reply
  const person = week.people[by]
  if (verdict === 'leave') return
  if (verdict === 'expire') return void week.plan(rest.wakesAt, wake)
  week.plan(clock.now() + after, async () => {
    const calm = makeTrouble(week.systems, planned.trouble, 'answered')
    week.answered.add(String(rest.decision))
    if (verdict === 'cancel') await request(person, 'POST', `/platformapi/runs/${rest.run}/cancel`, { reason })
    else await request(person, 'POST', `/platformapi/decisions/${rest.decision}`, { verdict, reason })
    await goOn()
    calm()
  })
}

type Rest =
  | { readonly kind: 'ended'; readonly alert: Answer }
  | { readonly kind: 'held' }
  | { readonly kind: 'asleep'; readonly run: string; readonly decision: string | null; readonly asksAbout?: unknown; readonly wakesAt: Millis }

/** Waits in real time until all runs have come to rest. */
async function restOf({ admin, clock, end, answered }: Week, id: string): Promise<Rest> {
  for (let times = 0; times < look.times; times += 1) {
    const alert = await request(admin, 'GET', `/platformapi/alerts/${id}`)
    const runs = alert['runs'] as readonly Answer[]
    const run = runs.at(-1)
    if (typeof run?.['retry_at'] === 'number') return { kind: 'asleep', run: String(run['run_id']), decision: null, wakesAt: run['retry_at'] + 1 }
    if (alert['completed_at'] !== null) return { kind: 'ended', alert }
    if (!run && (alert['pauses'] as readonly unknown[]).length > 0) return { kind: 'held' }
    if (run?.['state'] === 'waiting') {
      const { waiting, decisions } = await request(admin, 'GET', `/platformapi/runs/${String(run['run_id'])}`)
      const { until, decisions: asked } = (waiting ?? { until: 0, decisions: [] }) as { until: Millis | null; decisions: readonly string[] }
      const wakesAt = (until ?? end) + 1
      const open = (decisions as readonly Answer[]).find(({ id: decision }) => !answered.has(String(decision)))
      if (open) return { kind: 'asleep', run: String(run['run_id']), decision: String(open['id']), asksAbout: open['kind'], wakesAt }
      if (waiting && asked.length === 0 && wakesAt > clock.now() + 1) return { kind: 'asleep', run: String(run['run_id']), decision: null, wakesAt }
    }
    await sleep(look.every)
  }
  throw new Error(`The demo's alert ${id} neither ended nor waits for anything.`)
}
