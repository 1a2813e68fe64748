import type { Case, Fact, Json, Millis } from '../domain/index.ts'

/** Returns the title and severity of the fact's case, if it has one. */
function ofCase(found: Case | null): { readonly [name: string]: Json } {
  return found === null ? {} : { case_title: found.title, severity: found.severity }
}

function about(fact: Fact): { readonly at: Millis; readonly data: { readonly [name: string]: Json } } {
  switch (fact.type) {
    case 'case.opened': {
      const { caseId, uuid, title, severity, alerts, createdAt } = fact.case
      const [first] = alerts
      const alert = first ? { alert_id: first.alertId, alert_uuid: first.alertUuid } : {}
      return { at: createdAt, data: { case_id: caseId, case_uuid: uuid, title, severity, ...alert, path: `/platformapi/cases/${caseId}` } }
    }
    case 'run.failed': {
      const { id, alert, attempt, undo, pins, failure, retryAt, caseId, endedAt, startedAt } = fact.run
      const why = { failure: { code: failure?.code ?? 'run_stopped', step: failure?.step ?? null }, retry_at: retryAt }
      const data = {
        run_id: id,
        alert_uuid: alert,
        attempt,
        undoes: undo?.run ?? null,
        playbook: pins.playbook.name,
        ...why,
        case_id: caseId,
        ...ofCase(fact.case),
      }
      return { at: endedAt ?? startedAt, data: { ...data, path: `/platformapi/runs/${id}` } }
    }
    default: {
      const { id, kind, state, title, step, by, approvers, askedAt, expiresAt, closedAt, run, alert, playbook, caseId } = fact.decision
      const asked = { decision_id: id, kind, state, title, by: [...by], approvers, expires_at: expiresAt, closed_at: closedAt }
      const data = { ...asked, run_id: run, step, alert_uuid: alert, playbook: playbook.name, case_id: caseId, ...ofCase(fact.case) }
      const opened = fact.type === 'decision.opened'
      return { at: opened ? askedAt : (closedAt ?? askedAt), data: { ...data, path: `/platformapi/decisions/${id}` } }
    }
  }
}

/**
 * Returns the body of a delivery: names, titles and states, and where the API tells more. It never contains
 * the content of an alert, the input of a call, or an answer. Only people with an API key may see those.
 */
export function bodyOf(fact: Fact, organizationCode: string | null): string {
  const { at, data } = about(fact)
  return JSON.stringify({ type: fact.type, timestamp: new Date(at).toISOString(), data: { organization_code: organizationCode, ...data } })
}
