import { hash } from 'node:crypto'
import {
  asId,
  closedAs,
  cutText,
  type Decision,
  type DecisionAction,
  type DecisionId,
  type Failure,
  type Json,
  systemScope,
} from '../../domain/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed, Sleeping } from '../failure/signals.ts'
import type { DecisionContext } from '../run/contexts.ts'
import { announceDecision } from './decision-service.ts'
import { recordDropped } from './drop-decisions.ts'

/** What a step asks people. */
export type Question = Pick<Decision, 'kind' | 'title' | 'actions' | 'by' | 'approvers' | 'final'> & { readonly expires: number | null }

/**
 * Returns a UUID (version 8), derived from run, address and number. So each execution of the run computes the
 * same id.
 * @param number how many decisions the step has requested before
 */
export function decisionId(execution: Pick<DecisionContext, 'run'>, address: string, number: number): DecisionId {
  const hex = hash('sha256', `${execution.run.id}#${address}#${number}`, 'hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return asId<DecisionId>(parts.join('-'))
}

/**
 * Returns whether the run has asked people this question. A process may have died after it asked and before the journal
 * said so. People see that question, and may have answered it.
 * @param earlier whether an earlier execution may have asked
 */
export async function hasAsked({ waits, store }: DecisionContext, id: DecisionId, earlier: boolean): Promise<boolean> {
  return waits.asked(id) || (earlier && (await store.decisions.get(systemScope, id)) !== null)
}

/**
 * Asks people, or finds the decision that an earlier execution requested.
 * @param address of the step that asks
 * @returns the decision, closed
 * @throws Sleeping while it is open; RunFailed `run_cancelled` if it is no longer needed, `journal_mismatch` if
 * an earlier execution asked about other calls here
 */
export async function requestDecision(execution: DecisionContext, address: string, id: DecisionId, question: Question): Promise<Decision> {
  const { store, clock, run, journal, replay } = execution
  const { kind, title, actions, by, approvers, expires, final } = question
  const now = clock.now()
  // A write in doubt is settled even if the run was cancelled.
  const needed = (): void => (kind === 'in_doubt' ? undefined : execution.cancel.check())
  if (!execution.waits.asked(id)) needed()
  await execution.opened
  let standing = await store.decisions.open(systemScope, {
    id,
    kind,
    organization: run.organization,
    run: run.id,
    alert: run.alert,
    case: run.case,
    caseId: run.caseId,
    playbook: run.pins.playbook,
    step: address,
    title,
    actions,
    by,
    approvers,
    ...(final && { final }),
    askedAt: now,
    expiresAt: expires === null ? null : now + expires,
    state: 'open',
    answers: [],
    closedAt: null,
    revision: 1,
  })
  // A poison run is not replayed, so this process may know less than the one that asked. Its actions are not compared.
  if (!final) checkSameActions(standing, actions, address)
  if (!execution.waits.asked(id)) {
    note(execution, { kind: 'asked', address, decision: id, ...(kind === 'in_doubt' && { binding: true }), at: standing.askedAt })
    // The branch may have been cancelled while the decision was stored.
    recordDropped(execution)
  }
  await execution.record(null, {
    key: `${id}#1`,
    at: standing.askedAt,
    actor: { run: run.id, step: address },
    body: { kind: 'decision', decision: id, state: 'open', title: standing.title, by: [], text: null },
  })
  while (standing.state === 'open') {
    needed()
    if (standing.expiresAt === null || clock.now() < standing.expiresAt) {
      if (!(await replay.recorded?.closes(standing))) throw new Sleeping(standing.expiresAt, kind === 'in_doubt')
      standing = (await store.decisions.get(systemScope, id)) ?? standing
      continue
    }
    const expired = closedAs(standing, 'expired', clock.now())
    if ((await store.decisions.revise(systemScope, expired)) === 'revised') await announceDecision(store, expired)
    standing = (await store.decisions.get(systemScope, id)) ?? expired
  }
  if (execution.waits.open.includes(id)) note(execution, { kind: 'heard', address, decision: id, at: clock.now() })
  return standing

  function note({ waits }: DecisionContext, record: Parameters<DecisionContext['waits']['note']>[0]): void {
    waits.note(record)
    journal.defer(record)
  }
}

/** Checks that the step asks for the same actions as in the earlier execution that opened the decision. */
function checkSameActions({ actions }: Decision, now: readonly DecisionAction[], address: string): void {
  const bound = (all: readonly DecisionAction[]): string => JSON.stringify(all.map(({ step, digest }) => [step, digest]))
  if (bound(actions) !== bound(now))
    throw new RunFailed(failed('journal_mismatch', `The step ${address} asked about other calls in an earlier execution.`, address))
}

/** Returns why a closed approval (or a decision about a used-up quota) does not allow the call. Null: it does. */
export function refusalOf({ kind, state, answers, approvers }: Decision, address: string): Failure | null {
  if (state === 'approved') return null
  const last = answers.at(-1)
  const what = kind === 'quota' ? 'quota' : 'approval'
  if (state !== 'declined') return failed(`${what}_expired`, `${answers.length} of ${approvers} had approved when the time ran out.`, address)
  const because = last?.reason ? `: ${last.reason}` : '.'
  return failed(`${what}_declined`, `${last?.by ?? 'Somebody'} declined${because}`, address)
}

/** Most characters of an input's JSON that a decision shows. */
const longestInput = 16_384

/**
 * Returns an input as people see it. If it is very large, returns the beginning of its JSON as text.
 * @param json of the input
 */
export function shownInput(json: string): Json {
  return json.length > longestInput ? `${cutText(json, longestInput)} (${json.length - longestInput} characters more)` : (JSON.parse(json) as Json)
}

/** Returns a prepared call as people see it. */
export function actionOf({ step, skill, connection, target, input, digest }: PreparedCall): DecisionAction {
  const { id, revision, instance } = connection
  return {
    step: step.id,
    skill: `${step.integration}.${skill.id}`,
    connection: { id, revision, instance },
    target,
    input: shownInput(JSON.stringify(input)),
    digest,
  }
}
