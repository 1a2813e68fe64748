import type { Effect, Failure, Json, Millis, RecordedOutput, RecordedWrite, Unchanged } from '../../domain/index.ts'
import { systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import type { OutcomeContext } from '../run/contexts.ts'
import { jsonOf, readBack } from '../run/values/large-json.ts'

/** The outcome of a skill step, from a call or from the journal. */
export type StepOutcome =
  /** `changed`: set for a write that may not have changed anything. */
  | {
      readonly ok: true
      readonly output: Json
      readonly at: Millis
      readonly changed?: Unchanged
      /** Where the output does not match the skill's schema. Absent if the outcome comes from the journal. */
      readonly warnings?: readonly string[]
      /** How often a read was sent, if more than once. Absent if the outcome comes from the journal. */
      readonly tries?: number
    }
  | {
      readonly ok: false
      readonly effect: Effect
      readonly failure: Failure
      readonly at: Millis
      /** The known part of the output. Absent: nothing is known. */
      readonly output?: Json
      readonly tries?: number
    }

/** Most characters of JSON that a journal record holds itself. Longer values are stored beside the journal. */
export const inlineLimit = 64 * 1024

/** @throws RunFailed `journal_mismatch` if the step renders another input than an earlier execution recorded */
export function checkSameInput(address: string, recorded: string, digest: string): void {
  if (recorded !== digest) throw new RunFailed(failed('journal_mismatch', `The step ${address} rendered a different input than before.`, address))
}

/**
 * Returns the outcome that an earlier execution recorded, or null.
 * @throws RunFailed `journal_mismatch` if the step renders another input than it did then
 */
export async function recalledOutcome(execution: OutcomeContext, address: string, digest: string): Promise<StepOutcome | null> {
  const record = execution.replay.outcome(address)
  if (!record) return null
  checkSameInput(address, record.digest, digest)
  if (record.kind === 'done') return { ok: true, output: await readOutput(execution, address, record.output), at: record.at }
  const { effect, failure, output, at } = record
  return { ok: false, effect, failure, at, ...(output && { output: await readOutput(execution, address, output) }) }
}

async function readOutput(execution: OutcomeContext, address: string, output: RecordedOutput): Promise<Json> {
  const { store, run } = execution
  if ('value' in output) return output.value
  const json = await store.journal.getOutput(systemScope, run.id, output.stored)
  if (json === null) throw new TocsinError('internal', `The stored output of ${address} is gone.`)
  return readBack(execution, json)
}

/** The call that an outcome belongs to, and when the step began it. */
export type RecordedCall = Pick<PreparedCall, 'address' | 'digest'> & { readonly write?: RecordedWrite; readonly began?: Millis }

/** Returns start time and number of tries, if they are worth recording. */
function timingOf({ began }: RecordedCall, { at, tries }: StepOutcome): { readonly began?: Millis; readonly tries?: number } {
  return { ...(began !== undefined && began !== at && { began }), ...(tries !== undefined && tries > 1 && { tries }) }
}

/**
 * Records an outcome. An output over the playbook's limit becomes a failure.
 * @param shortened makes an output over the limit smaller, if it must not become a failure
 */
export async function recordOutcome(
  execution: OutcomeContext,
  { address, digest, write, began }: RecordedCall,
  outcome: StepOutcome,
  shortened: ((output: Json) => Json) | null = null,
): Promise<StepOutcome> {
  const place = { address, digest, ...(write && { write }), ...(began !== undefined && { began }) }
  if (!outcome.ok) return recordFailure(execution, place, outcome, shortened)
  const json = await jsonOf(execution, outcome.output)
  const most = execution.plan.limits.output
  if (json.length > most) {
    const size = `${json.length} characters, and limits.output is ${most}.`
    if (shortened) return recordOutcome(execution, place, await shortenOutput(execution, outcome, shortened, size))
    const { at, tries } = outcome
    return recordOutcome(execution, place, {
      ok: false,
      effect: 'done',
      failure: failed('output_too_large', size, address),
      at,
      ...(tries && { tries }),
    })
  }
  const { warnings } = outcome
  execution.journal.push({
    kind: 'done',
    ...recordFields(place),
    output: await recordValue(execution, address, outcome.output, json),
    ...(warnings && { warnings }),
    ...timingOf(place, outcome),
    at: outcome.at,
  })
  return outcome
}

function recordFields({ address, digest, write }: RecordedCall) {
  return { address, digest, ...(write && { write }) }
}

/** Keeps the known part of a failed call's output, if it is small enough. */
async function recordFailure(
  execution: OutcomeContext,
  place: RecordedCall,
  outcome: Extract<StepOutcome, { ok: false }>,
  shortened: ((output: Json) => Json) | null,
): Promise<StepOutcome> {
  const { effect, failure, output, at } = outcome
  const known = (await ifSmallEnough(execution, output)) ?? (await ifSmallEnough(execution, output === undefined ? undefined : shortened?.(output)))
  const there = known === null ? {} : { output: await recordValue(execution, place.address, known.value, known.json) }
  execution.journal.push({ kind: 'failed', ...recordFields(place), effect, failure, ...there, ...timingOf(place, outcome), at })
  return { ok: false, effect, failure, at, ...(known !== null && { output: known.value }) }
}

/** Returns a value with its JSON. Null if the JSON is longer than an output may be. */
async function ifSmallEnough(execution: OutcomeContext, value: Json | undefined): Promise<{ readonly value: Json; readonly json: string } | null> {
  if (value === undefined) return null
  const json = await jsonOf(execution, value)
  return json.length <= execution.plan.limits.output ? { value, json } : null
}

/**
 * Shortens an output that is too large to the part that its skill requires, if that is small enough. The
 * write has happened, so it must not fail.
 */
async function shortenOutput(
  execution: OutcomeContext,
  outcome: Extract<StepOutcome, { ok: true }>,
  shortened: (output: Json) => Json,
  size: string,
): Promise<StepOutcome> {
  const output = (await ifSmallEnough(execution, shortened(outcome.output)))?.value ?? {}
  return { ...outcome, output, warnings: [...(outcome.warnings ?? []), `only what the skill requires of the output is kept: ${size}`] }
}

/** Records the outcome of a write, with what an undo needs. */
export async function recordWriteOutcome(
  execution: OutcomeContext,
  prepared: PreparedCall & Pick<RecordedCall, 'began'>,
  outcome: StepOutcome,
): Promise<StepOutcome> {
  const { address, digest, skill, began } = prepared
  const changed = outcome.ok ? outcome.changed : undefined
  const write = { ...(await recordedWrite(execution, prepared)), ...(changed && { changed }) }
  return recordOutcome(execution, { address, digest, write, ...(began !== undefined && { began }) }, outcome, skill.contractualOutput)
}

/** Returns a write as it is sent, for the journal. */
export async function recordedWrite(
  execution: OutcomeContext,
  { address, plugin, skill, connection, target, input }: PreparedCall,
): Promise<RecordedWrite> {
  const json = await jsonOf(execution, input)
  return { skill: `${plugin.id}.${skill.id}`, connection, target, input: await recordValue(execution, `${address}!input`, input, json) }
}

/**
 * Records a value. A large one is stored beside the journal, before the record that names it. So a record
 * never names a missing value. A stored value never changes. An execution that died before it recorded the
 * name may have stored another value, so each execution uses its own name.
 */
async function recordValue({ store, run }: OutcomeContext, name: string, value: Json, json: string): Promise<RecordedOutput> {
  if (json.length <= inlineLimit) return { value }
  const stored = `${name}@${run.epoch}`
  await store.journal.putOutput(systemScope, run.id, stored, json)
  return { stored }
}
