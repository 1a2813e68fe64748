import { asId, type Millis, type Pause, type PauseId, type PrincipalId, systemScope } from '../../../domain/index.ts'
import type { Sql } from '../database/index.ts'
import { pauseTable } from '../guards/pauses.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

/** Pauses everything, in the name of the administrator if the store has one. */
export function pauseEverything(
  sql: Sql,
  { id, ...act }: { readonly id: PauseId; readonly by: string; readonly reason: string; readonly at: Millis },
): Pause {
  const administrator = sql.get("SELECT value FROM settings WHERE name = 'administrator'")?.['value']
  const principal = asId<PrincipalId>(String(administrator ?? nobody))
  return pauseTable(sql).begin(systemScope, { id, target: { kind: 'everything' }, paused: { ...act, principal }, resumed: null })
}

/**
 * Returns whether any run is unfinished, any alert waits (also for the end of a pause, or for its automatic retry), or any fetch is enabled:
 * the original may fetch the same alerts.
 */
export function somethingIsUnderWay(sql: Sql): boolean {
  return (
    sql.get("SELECT 1 FROM runs WHERE state IN ('running', 'waiting') LIMIT 1") !== undefined ||
    sql.get('SELECT 1 FROM alert_states WHERE waiting_since IS NOT NULL LIMIT 1') !== undefined ||
    sql.get('SELECT 1 FROM alert_states WHERE held_by IS NOT NULL LIMIT 1') !== undefined ||
    sql.get('SELECT 1 FROM alert_states WHERE retry_at IS NOT NULL LIMIT 1') !== undefined ||
    sql.get('SELECT 1 FROM fetches WHERE enabled = 1 LIMIT 1') !== undefined
  )
}
