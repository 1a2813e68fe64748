import { type Answer, listAll, request, type Target } from '../../runtime/cli/client.ts'
import { giveUpDoubts } from '../support/api/decisions.ts'
import type { Acknowledged } from '../support/sources.ts'
import { until } from '../support/until.ts'

/**
 * Waits until every alert with a type has ended. Gives up writes in doubt, because nobody knows more about
 * them than the systems do.
 */
export async function allEnded(target: Target): Promise<void> {
  await until(async () => {
    await giveUpDoubts(target)
    const page = await request(target, 'GET', '/platformapi/alerts?status=created&status=submitted&status=inprogress&limit=1')
    return (page['items'] as unknown[]).length === 0
  })
}

/**
 * Checks what must be true of acknowledged alerts, seen from outside. Every acknowledged alert exists and has
 * ended. Numbers are unique, and each source saw its own numbers rise. Every alert has exactly one case, and
 * every case one alert.
 * @returns the violations, in words; empty if all is well
 */
export async function violations(target: Target, acknowledged: readonly (readonly Acknowledged[])[]): Promise<string[]> {
  const wrong: string[] = []
  const alerts = new Map<string, Answer>()
  for await (const alert of listAll(target, '/platformapi/alerts?limit=100')) {
    const uuid = String(alert['alert_uuid'])
    if (alerts.has(uuid)) wrong.push(`${uuid} is listed twice`)
    alerts.set(uuid, alert)
  }
  const ids = new Set([...alerts.values()].map((alert) => alert['alert_id']))
  if (ids.size !== alerts.size) wrong.push(`${alerts.size} alerts have ${ids.size} different ids`)
  for (const source of acknowledged) {
    for (const [index, { uuid, alertId, sequence }] of source.entries()) {
      const alert = alerts.get(uuid)
      if (!alert) wrong.push(`${alertId} was acknowledged and is gone`)
      else if (alert['alert_id'] !== alertId) wrong.push(`${alertId} is now ${alert['alert_id']}`)
      const before = source[index - 1]
      if (before && before.sequence >= sequence) wrong.push(`${alertId} follows ${before.alertId}`)
    }
  }
  const cases = new Map<string, number>()
  for await (const found of listAll(target, '/platformapi/cases?limit=100')) {
    for (const { alert_uuid } of found['alerts'] as Answer[]) cases.set(String(alert_uuid), (cases.get(String(alert_uuid)) ?? 0) + 1)
  }
  for (const [uuid, alert] of alerts) {
    const status = alert['investigation_status']
    if (status !== 15 && status !== 20) wrong.push(`${alert['alert_id']} has status ${status}`)
    if (cases.get(uuid) !== 1) wrong.push(`${alert['alert_id']} has ${cases.get(uuid) ?? 0} cases`)
  }
  return wrong
}
