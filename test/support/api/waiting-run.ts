import { systemIds } from '../../../runtime/config/index.ts'
import {
  type AlertUuid,
  asId,
  type CaseUuid,
  type Decision,
  type Digest,
  pinnedPolicy,
  type Run,
  runId,
  type SessionId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import type { Answer, clientOf } from './api-client.ts'
import type { ApiServer } from './api-server.ts'

/** Creates the organizations ACME and OTHER, and an alert source. */
export async function addTenants(admin: ReturnType<typeof clientOf>): Promise<void> {
  for (const code of ['ACME', 'OTHER']) await admin('POST', '/platformapi/organizations', { code, name: code })
  await admin('POST', '/platformapi/providers', { code: 'edr', name: 'EDR' })
}

/** Claims the first run of a posted alert, as a worker would. @param alert as the API answers it */
export async function claimFirst(api: ApiServer, alert: Answer['body'], session: SessionId) {
  const uuid = asId<AlertUuid>(alert.alert_uuid)
  const claimed = await api.store.runs.claim(systemScope, {
    run: runId(uuid, 1),
    alert: uuid,
    organization: alert.organization_uuid,
    type: 't',
    attempt: 1,
    session,
    at: api.clock.now(),
    pins: { playbook: { name: 'look', digest: asId<Digest>('sha256:0') }, playbooks: {}, policy: pinnedPolicy(null), plugins: {}, connections: {} },
    opening: { uuid: asId<CaseUuid>(systemIds.uuid()), title: 'Found', severity: 'high', join: null },
  })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  return claimed
}

/** Creates a run of a new alert. The run sleeps until a person answers a decision. */
export async function openWaitingRun(api: ApiServer, admin: ReturnType<typeof clientOf>): Promise<Run> {
  const posted = { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME', alert_type: 'T' }
  const alert = (await admin('POST', '/platformapi/alerts', posted)).body
  const session = asId<SessionId>(systemIds.uuid())
  await api.store.sessions.open(systemScope, { id: session, host: 'test', pid: 1 })
  const claimed = await claimFirst(api, alert, session)
  await api.store.runs.sleep(systemScope, { run: claimed.run.id, epoch: 1, position: 1, records: [], wakeAt: null, at: api.clock.now() })
  api.clock.advance(1)
  return claimed.run
}

/** Adds a decision to that run: may ada be suspended? Returns its id. */
export async function openDecision(api: ApiServer, run: Run, parts: Partial<Decision> = {}): Promise<string> {
  const decision: Decision = {
    id: asId(systemIds.uuid()),
    kind: 'approval',
    organization: run.organization,
    run: run.id,
    alert: run.alert,
    case: run.case,
    caseId: run.caseId,
    playbook: run.pins.playbook,
    step: 'ask',
    title: 'Suspend ada?',
    actions: [
      {
        step: 'act',
        skill: 'mfa.suspend_mfa_user',
        connection: { id: 'c', revision: 2, instance: 'main' },
        target: 'ada',
        input: { username: 'ada' },
        digest: 'd',
      },
    ],
    by: [],
    approvers: 1,
    askedAt: api.clock.now(),
    expiresAt: null,
    state: 'open',
    answers: [],
    closedAt: null,
    revision: 1,
    ...parts,
  }
  return (await api.store.decisions.open(systemScope, decision)).id
}
