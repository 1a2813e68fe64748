import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { bold, dim } from '../../../runtime/cli/print.ts'

const lookEvery = 50

function colour(status: string): string {
  return status === 'Completed' || status === 'Failed' ? bold(status) : dim(status)
}

/**
 * Prints each alert's status changes until every investigation has ended. Returns the investigated
 * alerts.
 *
 * @param meanwhile runs each time while something is still to come
 */
export async function follow(target: Target, ids: readonly string[], meanwhile: () => Promise<void>): Promise<Answer[]> {
  const began = Date.now()
  const seen = new Map<string, string>()
  const ended: Answer[] = []
  const open = new Set(ids)
  while (open.size > 0) {
    for (const id of [...open]) {
      const alert = await request(target, 'GET', `/platformapi/alerts/${id}`)
      const status = String(alert['status_name'])
      if (alert['alert_type'] === null) open.delete(id)
      else if (seen.get(id) !== status) {
        seen.set(id, status)
        const about = [alert['investigator'], alert['case_id']].filter((part) => part).join(', case ')
        console.log(`  ${dim(`${String(Date.now() - began).padStart(6)} ms`)}  ${id}  ${colour(status)}${about === '' ? '' : `  ${about}`}`)
        if (alert['completed_at'] !== null && alert['completed_at'] !== undefined) {
          ended.push(alert)
          open.delete(id)
        }
      }
    }
    if (open.size === 0) break
    await meanwhile()
    await sleep(lookEvery)
  }
  return ended
}
