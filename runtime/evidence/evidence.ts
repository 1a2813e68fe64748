import { createHash, hash } from 'node:crypto'
import type { EvidenceSigner } from '../connection/index.ts'
import {
  type Alert,
  type Clock,
  type Decision,
  type JournalEntry,
  type Json,
  type Makers,
  mostLevels,
  mostMakers,
  type Principal,
  type PrincipalId,
  type RecordedOutput,
  type Run,
  systemScope,
} from '../domain/index.ts'
import { makersOf } from '../engine/index.ts'
import type { Turns } from '../fairness/index.ts'
import { readJson, writeJson } from '../json/index.ts'
import { decisionsOf } from '../rehearsal/recorded/index.ts'
import type { Store } from '../storage/index.ts'
import type { EvidenceDecision, EvidenceDocument } from './document.ts'
import { type SignedEvidence, signEvidence } from './jws.ts'
import { EvidenceKeys, type KnownKey } from './keys.ts'
import { sortedJson } from './sorted-json.ts'
import { type ReadInput, writesOf } from './writes.ts'

type Reads = Pick<Store, 'alerts' | 'decisions' | 'journal' | 'principals' | 'settings'>

/** Makes signed evidence of runs. Callers must first check that the user may see the run. */
export interface Evidence {
  /** @param by who asked for it */
  of(run: Run, by: Pick<Principal, 'id' | 'name'>): Promise<SignedEvidence>
  /** Returns the public keys with which this installation signs or has signed, the newest first. */
  keys(): Promise<readonly KnownKey[]>
}

/** The most characters of all inputs together that are not in the journal itself. Later ones are left out. */
const mostOfInputs = 2_097_152

/**
 * @param turns lets other work run while long journals are read
 * @param tocsin the version of Tocsin
 */
export function createEvidence(store: Reads, signer: EvidenceSigner, turns: Turns, clock: Clock, tocsin: string): Evidence {
  const keys = new EvidenceKeys(store, clock, signer.publicKey)
  return {
    keys: () => keys.known(),
    async of(run, by) {
      // Nobody could check evidence whose key is not known.
      await keys.known()
      const [entries, decisions, [alert]] = await Promise.all([
        store.journal.read(systemScope, run.id),
        decisionsOf(store, run.id),
        store.alerts.get(systemScope, [run.alert]),
      ])
      const makers = await namedMakersOf(store, decisions)
      const document: EvidenceDocument = {
        format: 1,
        made_at: clock.now(),
        made_for: { by: by.name, principal_uuid: by.id },
        tocsin,
        run: runIn(run, alert),
        alert: alert ? alertIn(alert) : null,
        code: {
          playbook: run.pins.playbook,
          playbooks: run.pins.playbooks,
          plugins: run.pins.plugins,
          policy_revision: run.pins.policy.revision,
        },
        writes: await writesOf(
          entries.flatMap(({ records }) => records),
          inputsOf(store, run, turns),
        ),
        decisions: decisions.map((decision) => decisionIn(decision, makers)),
        journal: { entries: entries.length, digest: await digestOf(entries, run, turns) },
      }
      return signEvidence(signer, await writeJson(document as unknown as Json, { turns, key: run.organization }))
    },
  }
}

/** What is in the journal was within every limit when it was written. */
const anyShape = { levels: mostLevels * 2, values: Number.MAX_SAFE_INTEGER, names: Number.MAX_SAFE_INTEGER }

function inputsOf(store: Pick<Store, 'journal'>, { id, organization }: Run, turns: Turns): ReadInput {
  let left = mostOfInputs
  return async (input: RecordedOutput) => {
    if ('value' in input) return input.value
    const json = await store.journal.getOutput(systemScope, id, input.stored)
    if (json === null || json.length > left) return undefined
    left -= json.length
    return readJson(json, { limits: anyShape, turns, key: organization, piece: (text) => JSON.parse(text) as Json })
  }
}

async function digestOf(entries: readonly JournalEntry[], { organization }: Run, turns: Turns): Promise<string> {
  const digest = createHash('sha256')
  for (const entry of entries) {
    digest.update(sortedJson(entry as unknown as Json)).update('\n')
    const turn = turns.next(organization)
    if (turn) await turn
  }
  return digest.digest('base64url')
}

function runIn({ id, undo, attempt, state, reason, failure, startedAt, endedAt, organization, caseId, cancelled }: Run, alert: Alert | undefined) {
  return {
    run_id: id,
    undoes: undo?.run ?? null,
    attempt,
    state,
    reason,
    error: failure && { code: failure.code, message: failure.message, step: failure.step },
    started_at: startedAt,
    ended_at: endedAt,
    organization_code: alert?.organizationCode ?? null,
    organization_uuid: organization,
    case_id: caseId,
    cancelled: cancelled && { by: cancelled.by, principal_uuid: cancelled.principal, reason: cancelled.reason, at: cancelled.at },
    requested: undo && { by: undo.name, principal_uuid: undo.by, reason: undo.reason },
  }
}

function alertIn({ uuid, alertId, provider, type, createdAt, createdBy, content }: Alert): EvidenceDocument['alert'] {
  return {
    alert_uuid: uuid,
    alert_id: alertId,
    alert_provider: provider,
    alert_type: type,
    created_at: createdAt,
    created_by: createdBy,
    content_digest: hash('sha256', content, 'base64url'),
  }
}

interface NamedMakers {
  readonly makers: Makers
  readonly names: ReadonlyMap<PrincipalId, string>
}

/** Finds the makers of everybody who has answered, with their names. */
async function namedMakersOf(store: Pick<Store, 'principals'>, decisions: readonly Decision[]): Promise<NamedMakers> {
  const makers = await makersOf(
    store,
    decisions.flatMap(({ answers }) => answers.map(({ principal }) => principal)),
  )
  const found = await store.principals.byId(systemScope, [...new Set([...makers.values()].flat())])
  return { makers, names: new Map(found.map(({ id, name }) => [id, name])) }
}

function decisionIn(decision: Decision, { makers, names }: NamedMakers): EvidenceDecision {
  const { id, kind, step, title, state, askedAt, closedAt, expiresAt, approvers, by, actions, answers } = decision
  return {
    id,
    kind,
    step,
    title,
    state,
    asked_at: askedAt,
    closed_at: closedAt,
    expires_at: expiresAt,
    approvers,
    may_answer: by,
    actions: actions.map(({ step: at, skill, target, digest, connection }) => ({ step: at, skill, target, digest, connection })),
    answers: answers.map(({ by: name, principal, verdict, reason, at }) => ({
      by: name,
      principal_uuid: principal,
      made_by: (makers.get(principal) ?? []).slice(0, mostMakers).map((id) => ({ by: names.get(id) ?? null, principal_uuid: id })),
      verdict,
      reason,
      at,
    })),
  }
}
