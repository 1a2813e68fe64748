import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { until } from '../until.ts'

/** Answers every decision of a run until the alert's investigation has ended. Returns the alert and the decisions. */
export async function decideUntilEnded(
  target: Target,
  alertId: unknown,
  verdict: 'approve' | 'decline' = 'approve',
): Promise<{ readonly alert: Answer; readonly decisions: readonly Answer[] }> {
  const decisions: Answer[] = []
  const alert = await until(async () => {
    const found = await request(target, 'GET', `/platformapi/alerts/${alertId}`)
    if (found['completed_at'] !== null && found['completed_at'] !== undefined) return found
    const { items } = await request(target, 'GET', '/platformapi/decisions?state=open')
    for (const { id, case_id } of items as Answer[]) {
      if (case_id === found['case_id']) decisions.push(await request(target, 'POST', `/platformapi/decisions/${id}`, { verdict, reason: 'Seen' }))
    }
    return null
  })
  return { alert, decisions }
}

/** Lists the open decisions. */
export async function openDecisions(target: Target): Promise<readonly Answer[]> {
  return (await request(target, 'GET', '/platformapi/decisions?state=open&limit=500'))['items'] as Answer[]
}

/** Gives up every write in doubt. Returns the decisions. */
export async function giveUpDoubts(target: Target): Promise<readonly Answer[]> {
  const open = (await openDecisions(target)).filter(({ kind }) => kind === 'in_doubt')
  await Promise.all(open.map(({ id }) => request(target, 'POST', `/platformapi/decisions/${id}`, { verdict: 'give_up' })))
  return open
}
