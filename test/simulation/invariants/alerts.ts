import { type Alert, AlertStatus, systemScope } from '../../../runtime/domain/index.ts'
import type { Acknowledged } from '../actors/sources.ts'
import type { Evidence, Life } from './evidence.ts'

/** Checks that every acknowledged alert is there once, with its number, has ended, and has one case. */
export async function judgeAlerts({ world, store, sources }: Evidence, alerts: readonly Alert[], lives: readonly Life[]): Promise<void> {
  const byUuid = new Map(alerts.map((alert) => [alert.uuid, alert]))
  for (const { uuid, alertId, key } of sources.answers)
    if (byUuid.get(uuid)?.alertId !== alertId) world.fail(`${alertId} (${key}) was acknowledged, and the store does not have it`)
  // Sources name each alert by its key.
  if (new Set(alerts.map(({ name }) => name)).size < alerts.length) world.fail('an alert that was sent again is there twice')
  if (new Set(alerts.map(({ alertId }) => alertId)).size < alerts.length) world.fail('two alerts have the same number')
  judgeOrder(sources.answers, byUuid, (what) => world.fail(what))
  const { items: cases } = await store.cases.list(systemScope, { after: null, limit: 1_000 })
  for (const alert of alerts) {
    if (alert.status !== AlertStatus.completed && alert.status !== AlertStatus.failed) world.fail(`${alert.alertId} is left at ${alert.status}`)
    const having = cases.filter((one) => one.alerts.some(({ alertUuid }) => alertUuid === alert.uuid))
    if (having.length !== 1 || having[0]?.uuid !== alert.case) world.fail(`${alert.alertId} has ${having.length} cases`)
    judgeRuns(alert, lives, (what) => world.fail(what))
  }
  if (cases.length > alerts.length) world.fail(`there are ${cases.length} cases of ${alerts.length} alerts`)
}

/** Checks that an alert posted after another one was acknowledged has the larger number. */
function judgeOrder(answers: readonly Acknowledged[], byUuid: ReadonlyMap<string, Alert>, fail: (what: string) => void): void {
  for (const first of answers) {
    for (const second of answers) {
      const [low, high] = [byUuid.get(first.uuid)?.sequence ?? 0, byUuid.get(second.uuid)?.sequence ?? 0]
      if (second.postedAt > first.answeredAt && high <= low && first.uuid !== second.uuid)
        fail(`${second.alertId} was posted after ${first.alertId} was answered`)
    }
  }
}

function judgeRuns({ alertId, uuid, status, retryCount }: Alert, lives: readonly Life[], fail: (what: string) => void): void {
  const runs = lives.filter(({ alert }) => alert.uuid === uuid).map(({ run }) => run)
  for (const { id, state } of runs) if (state !== 'completed' && state !== 'failed') fail(`the run ${id} is left ${state}`)
  const last = runs.filter(({ undo }) => !undo).at(-1)
  if (last?.attempt !== retryCount + 1) fail(`${alertId} was tried ${retryCount + 1} times, and its last run is ${last?.attempt ?? 'missing'}`)
  else if ((last.state === 'completed') !== (status === AlertStatus.completed)) fail(`${alertId} is at ${status}, and its run has ${last.state}`)
}
