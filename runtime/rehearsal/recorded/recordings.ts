import {
  type Alert,
  asId,
  type Decision,
  type Digest,
  type JournalRecord,
  type Json,
  type RecordedOutput,
  type Run,
  type RunId,
  type RunPins,
  stepOf,
  systemScope,
  TriedWrites,
  withoutTurnedAway,
} from '../../domain/index.ts'
import { caseSteps, undoPlan } from '../../engine/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { readJson } from '../../json/index.ts'
import type { PlanStep, PlaybookLibrary } from '../../playbook/index.ts'
import type { Store } from '../../storage/index.ts'
import { stepAddress, stepsOf } from '../plan-steps.ts'
import type { RecordedAnswer, RecordedPlaybook, RecordedSent, Recording } from './document.ts'
import { decisionViews, type Moment, momentsOf, uncountedIn, waitsIn } from './moments.ts'

/**
 * Reads everything that is needed to replay a run. Callers must first check that the user may see
 * the run.
 */
export interface Recordings {
  /**
   * Returns the run's writes to external systems so far, including those in doubt, in the order of
   * its journal.
   */
  writes(run: Run): Promise<readonly RecordedSent[]>
  /** @throws TocsinError `run_undoes` for an undo, which has no playbook to replay; `recording_too_large` */
  recording(run: Run): Promise<Recording>
}

type Reads = Pick<Store, 'alerts' | 'artifacts' | 'cases' | 'journal' | 'decisions'>

/** @param turns lets other work run while large outputs are read */
export function createRecordings(store: Reads, playbooks: Pick<PlaybookLibrary, 'byDigest'>, turns: Turns): Recordings {
  const recordsOf = async (run: RunId): Promise<readonly JournalRecord[]> =>
    (await store.journal.read(systemScope, run)).flatMap(({ records }) => records)
  return {
    async writes(run) {
      const records = await recordsOf(run.id)
      const sent = new TriedWrites(records).sent
      if (sent.length === 0) return []
      const known = run.undo ? stepsOf(await undoPlan(store, run)) : await knownSteps(playbooks, run.pins)
      const targets = new Map(
        records.flatMap((record) => ('write' in record && record.write ? [[record.address, record.write.target] as const] : [])),
      )
      return sent.map((write) => ({ ...write, skill: skillAt(known, write.address), target: targets.get(stepOf(write.address)) ?? null }))
    },
    async recording(run) {
      const { pins, id } = run
      if (run.undo) throw new TocsinError('run_undoes', `The run ${id} undoes ${run.undo.run}.`)
      const [alert] = await store.alerts.get(systemScope, [run.alert])
      if (!alert) throw new TocsinError('alert_unknown', `The alert of the run ${id} is gone.`)
      const records = withoutTurnedAway(await recordsOf(id))
      const moments = momentsOf(records, run.startedAt)
      return {
        run_id: id,
        attempt: run.attempt,
        state: run.state,
        reason: run.reason,
        error: run.failure && { code: run.failure.code, message: run.failure.message, step: run.failure.step },
        started_at: run.startedAt,
        ended_at: run.endedAt,
        case_id: run.caseId,
        alert: alertOf(alert, run),
        playbook: await playbookOf(store, pins.playbook.name, pins.playbook.digest),
        playbooks: await Promise.all(Object.entries(pins.playbooks).map(([name, digest]) => playbookOf(store, name, digest))),
        plugins: pins.plugins,
        connections: Object.fromEntries(Object.entries(pins.connections).map(([slot, { instance }]) => [slot, instance])),
        answers: await answersIn(store, run, moments, turns),
        decisions: decisionViews(await decisionsOf(store, id), moments),
        uncounted: uncountedIn(moments),
        waits: waitsIn(moments),
        noted: await caseSteps(store, run, records),
        decided: Object.fromEntries(records.flatMap((record) => (record.kind === 'decided' ? [[record.address, record.value] as const] : []))),
      }
    },
  }
}

/**
 * Returns the steps of a playbook by id. Empty if the store no longer has it, or it does not fit
 * the loaded plugins.
 */
async function knownSteps(playbooks: Pick<PlaybookLibrary, 'byDigest'>, pins: RunPins): Promise<ReadonlyMap<string, PlanStep>> {
  try {
    return stepsOf(await playbooks.byDigest(systemScope, pins.playbook.digest, pins))
  } catch (error) {
    if (isTocsinError(error) && error.entry.status < 500) return new Map()
    throw error
  }
}

function skillAt(steps: ReadonlyMap<string, PlanStep>, address: string): string | null {
  const step = steps.get((address.split('#')[0] ?? '').split('/').at(-1) ?? '')
  return step?.kind === 'skill' ? `${step.integration}.${step.skill}` : null
}

/**
 * Returns the alert as it was when the run began. Of the fields that investigations change, only
 * the attempt matters.
 */
function alertOf(alert: Alert, run: Run): Recording['alert'] {
  return {
    alert_content: alert.content,
    alert_id: alert.alertId,
    alert_name: alert.name,
    alert_provider: alert.provider,
    alert_type: alert.type,
    alert_uuid: alert.uuid,
    created_at: alert.createdAt,
    created_at_source: alert.createdAtSource,
    created_by: alert.createdBy,
    investigation_retry_count: run.attempt - 1,
    organization_code: alert.organizationCode,
    organization_uuid: alert.organization,
  }
}

async function playbookOf(store: Reads, name: string, digest: string): Promise<RecordedPlaybook> {
  const artifact = digest === '' ? null : await store.artifacts.get(systemScope, asId<Digest>(digest))
  return { name, digest, text: artifact?.text ?? null }
}

/** A handler's act has an address of its own, `step#n`. The step's own answer is the skill's. */
function isStep({ address }: { readonly address: string }): boolean {
  return !address.includes('#')
}

/** The most characters of all outputs of a recording together. */
const mostRecorded = 67_108_864
/** Stored outputs were checked against limits when they were recorded. */
const anyShape = { levels: 1_000, values: Number.MAX_SAFE_INTEGER, names: Number.MAX_SAFE_INTEGER }

async function answersIn(store: Reads, { id: run, organization }: Run, moments: readonly Moment[], turns: Turns): Promise<readonly RecordedAnswer[]> {
  const piece = (text: string): Json => JSON.parse(text) as Json
  let left = mostRecorded
  const outputOf = async (output: RecordedOutput): Promise<Json> => {
    if ('value' in output) return output.value
    const json = await store.journal.getOutput(systemScope, run, output.stored)
    if (json === null) throw new TocsinError('internal', `The stored output ${output.stored} of the run ${run} is gone.`)
    left -= json.length
    if (left < 0)
      throw new TocsinError('recording_too_large', `The outputs of the run ${run} have more than ${mostRecorded / 1_048_576} Mi characters.`)
    return readJson(json, { limits: anyShape, turns, key: organization, piece })
  }
  const answers = new Map<string, RecordedAnswer>()
  for (const { record, at, order } of moments) {
    if (record.kind === 'intent') {
      const step = stepAddress(record.address)
      answers.set(step, { step, kind: 'sent' })
    }
    if (record.kind !== 'done' && record.kind !== 'failed') continue
    if (!isStep(record)) continue
    const step = record.address
    // Moved to the position of the outcome, because that is when the run continued.
    answers.delete(step)
    if (record.kind === 'done') answers.set(step, { step, kind: 'output', output: await outputOf(record.output), at, order })
    else {
      const { failure, effect, output } = record
      const known = output && { output: await outputOf(output) }
      answers.set(step, { step, kind: 'failed', code: failure.code, message: failure.message, effect, ...known, at, order })
    }
  }
  return [...answers.values()]
}

const decisionsAtOnce = 200

/** Returns all decisions of a run, the oldest first. */
export async function decisionsOf(store: Pick<Store, 'decisions'>, run: RunId): Promise<readonly Decision[]> {
  const found: Decision[] = []
  for (let last: Decision | undefined; ; last = found.at(-1)) {
    const after = last === undefined ? null : { askedAt: last.askedAt, id: last.id }
    const page = await store.decisions.list(systemScope, { runs: [run], after, limit: decisionsAtOnce })
    found.push(...page.items)
    if (!page.more) return found.toReversed()
  }
}
