import { systemScope } from '../../../runtime/domain/index.ts'

import { judgeAlerts } from './alerts.ts'
import { judgeCancelled } from './cancelled.ts'
import { judgeDecisions } from './decisions.ts'
import type { Evidence, Life } from './evidence.ts'
import { judgeJournal } from './journals.ts'
import { judgeQuotas } from './quotas.ts'
import { judgeWrites } from './writes.ts'

/** Checks what must be true whatever happened. Reports violations to the world. */
export async function judge(evidence: Evidence): Promise<void> {
  const { store, world, books } = evidence
  const { items: alerts } = await store.alerts.list(systemScope, { sort: 'created_at', after: null, limit: 1_000, preview: 0 })
  const { items: runs } = await store.runs.list(systemScope, { after: null, limit: 1_000 })
  const lives: Life[] = []
  for (const alert of alerts) {
    const book = books.get(alert.type ?? '')
    if (!book) continue
    const own = runs.filter((run) => run.alert === alert.uuid).toSorted((a, b) => a.attempt - b.attempt)
    for (const run of own) {
      const journal = await store.journal.read(systemScope, run.id)
      const { items: decisions } = await store.decisions.list(systemScope, { runs: [run.id], after: null, limit: 1_000 })
      lives.push({ run, alert, book, journal, decisions })
    }
  }
  await judgeAlerts(evidence, alerts, lives)
  for (const life of lives) {
    judgeJournal(world, life)
    judgeDecisions(world, life)
  }
  await judgeWrites(evidence, lives)
  judgeCancelled(evidence, lives)
  judgeQuotas(evidence, lives)
}
