import { type Alert, type Pause, pausableRun, pausesOf, type Run, type Scope, statusesBeforeClaim } from '../../../domain/index.ts'
import type { Store } from '../../../storage/index.ts'

/** Finds the pauses that hold a run or, while it runs, its next write. @throws the store's error */
export async function pausesOfRun(store: Store, scope: Scope, run: Run): Promise<readonly Pause[]> {
  if (run.state !== 'running' && run.state !== 'waiting') return []
  return pausesOf(await store.pauses.standing(scope), pausableRun(run))
}

/**
 * Finds the pauses that hold an alert. Before the alert has a run, nobody knows which playbook and connections the run will use. Then these
 * are the pauses of its organization, and the one that a worker found when it tried to start the run.
 * @param runs of the alert
 * @throws the store's error
 */
export async function pausesOfAlert(store: Store, scope: Scope, alert: Alert, runs: readonly Run[]): Promise<readonly Pause[]> {
  const run = runs.find(({ attempt }) => attempt === alert.retryCount + 1)
  if (run) return pausesOfRun(store, scope, run)
  if (alert.type === null || !statusesBeforeClaim.includes(alert.status)) return []
  const standing = await store.pauses.standing(scope)
  if (standing.length === 0) return []
  const met = await store.alerts.heldBy(scope, alert.uuid)
  const known = pausesOf(standing, { organization: alert.organization, playbooks: [], connections: [] })
  return standing.filter((pause) => pause.id === met || known.includes(pause))
}
