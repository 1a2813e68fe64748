import type { Effect, Failure, Json, Millis, RecordedOutput, RecordedWrite, Unchanged } from '../domain/index.ts'
import { systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { failed } from './failed.ts'
import { jsonOf, readBack } from './large-json.ts'
import type { Prepared } from './prepared.ts'
import { RunFailed } from './signals.ts'
import type { Walk } from './walk.ts'

/** What became of a skill step, live or from the log. */
export type SkillOutcome =
  /** `changed` of a write: where it is not sure that it changed anything. */
  | {
      readonly ok: true
      readonly output: Json
      readonly at: Millis
      readonly changed?: Unchanged
      /** Where the output does not fit the skill's schema; absent when the outcome comes from the journal. */
      readonly warnings?: readonly string[]
      /** How often a read was sent, if more than once; absent when the outcome comes from the journal. */
      readonly tries?: number
    }
  | {
      readonly ok: false
      readonly effect: Effect
      readonly failure: Failure
      readonly at: Millis
      /** As much of the output as is known; absent: nothing is. */
      readonly output?: Json
      readonly tries?: number
    }

/** Characters of JSON that the log holds itself; more lies beside it. */
export const inlineLimit = 64 * 1024

/**
 * The outcome that an earlier life recorded, if there is one.
 * @throws RunFailed `journal_mismatch` when the step renders another input than it did then
 */
export async function recall(walk: Walk, address: string, digest: string): Promise<SkillOutcome | null> {
  const record = walk.recorded.outcome(address)
  if (!record) return null
  if (record.digest !== digest) throw new RunFailed(failed('journal_mismatch', `The step ${address} rendered another input than before.`, address))
  if (record.kind === 'done') return { ok: true, output: await kept(walk, address, record.output), at: record.at }
  const { effect, failure, output, at } = record
  return { ok: false, effect, failure, at, ...(output && { output: await kept(walk, address, output) }) }
}

async function kept(walk: Walk, address: string, output: RecordedOutput): Promise<Json> {
  const { store, run } = walk
  if ('value' in output) return output.value
  const json = await store.journal.getOutput(systemScope, run.id, output.stored)
  if (json === null) throw new TocsinError('internal', `The stored output of ${address} is gone.`)
  return readBack(walk, json)
}

/** The call that an outcome belongs to, and when the step began it. */
export type Place = Pick<Prepared, 'address' | 'digest'> & { readonly write?: RecordedWrite; readonly began?: Millis }

/** Start time and number of tries of an outcome, if they are worth recording. */
function wayTo({ began }: Place, { at, tries }: SkillOutcome): { readonly began?: Millis; readonly tries?: number } {
  return { ...(began !== undefined && began !== at && { began }), ...(tries !== undefined && tries > 1 && { tries }) }
}

/**
 * Puts an outcome into the log. An output over the playbook's limit becomes a failure there.
 * @param shortened makes less of an output over the limit, where it must not become a failure
 */
export async function store(
  walk: Walk,
  { address, digest, write, began }: Place,
  outcome: SkillOutcome,
  shortened: ((output: Json) => Json) | null = null,
): Promise<SkillOutcome> {
  const place = { address, digest, ...(write && { write }), ...(began !== undefined && { began }) }
  if (!outcome.ok) return storeFailed(walk, place, outcome, shortened)
  const json = await jsonOf(walk, outcome.output)
  const most = walk.plan.limits.output
  if (json.length > most) {
    const size = `${json.length} characters, and limits.output is ${most}.`
    if (shortened) return store(walk, place, await shortenedTo(walk, outcome, shortened, size))
    const { at, tries } = outcome
    return store(walk, place, { ok: false, effect: 'done', failure: failed('output_too_large', size, address), at, ...(tries && { tries }) })
  }
  const { warnings } = outcome
  walk.journal.push({
    kind: 'done',
    ...recordPlace(place),
    output: await recorded(walk, address, outcome.output, json),
    ...(warnings && { warnings }),
    ...wayTo(place, outcome),
    at: outcome.at,
  })
  return outcome
}

function recordPlace({ address, digest, write }: Place) {
  return { address, digest, ...(write && { write }) }
}

/** What is known of a failed call's output is kept as far as there is room for it. */
async function storeFailed(
  walk: Walk,
  place: Place,
  outcome: Extract<SkillOutcome, { ok: false }>,
  shortened: ((output: Json) => Json) | null,
): Promise<SkillOutcome> {
  const { effect, failure, output, at } = outcome
  const known = (await fitting(walk, output)) ?? (await fitting(walk, output === undefined ? undefined : shortened?.(output)))
  const there = known === null ? {} : { output: await recorded(walk, place.address, known.value, known.json) }
  walk.journal.push({ kind: 'failed', ...recordPlace(place), effect, failure, ...there, ...wayTo(place, outcome), at })
  return { ok: false, effect, failure, at, ...(known !== null && { output: known.value }) }
}

/** A value with its JSON; null if that is longer than an output may be. */
async function fitting(walk: Walk, value: Json | undefined): Promise<{ readonly value: Json; readonly json: string } | null> {
  if (value === undefined) return null
  const json = await jsonOf(walk, value)
  return json.length <= walk.plan.limits.output ? { value, json } : null
}

/** A write that happened has happened, however much it answered: what its skill requires of the output is kept, if that is short enough. */
async function shortenedTo(
  walk: Walk,
  outcome: Extract<SkillOutcome, { ok: true }>,
  shortened: (output: Json) => Json,
  size: string,
): Promise<SkillOutcome> {
  const output = (await fitting(walk, shortened(outcome.output)))?.value ?? {}
  return { ...outcome, output, warnings: [...(outcome.warnings ?? []), `only what the skill requires of the output is kept: ${size}`] }
}

/** The outcome of a write, with what taking it back needs. */
export async function storeWrite(walk: Walk, prepared: Prepared & Pick<Place, 'began'>, outcome: SkillOutcome): Promise<SkillOutcome> {
  const { address, digest, skill, began } = prepared
  const changed = outcome.ok ? outcome.changed : undefined
  const write = { ...(await recordedWrite(walk, prepared)), ...(changed && { changed }) }
  return store(walk, { address, digest, write, ...(began !== undefined && { began }) }, outcome, skill.contractualOutput)
}

/** A write as it is sent, for the journal. */
export async function recordedWrite(walk: Walk, { address, plugin, skill, connection, target, input }: Prepared): Promise<RecordedWrite> {
  const json = await jsonOf(walk, input)
  return { skill: `${plugin.id}.${skill.id}`, connection, target, input: await recorded(walk, `${address}!input`, input, json) }
}

/** Large values are stored beside the journal. They are written before the record that names them, so a record never names a missing value. */
async function recorded({ store, run }: Walk, name: string, value: Json, json: string): Promise<RecordedOutput> {
  if (json.length <= inlineLimit) return { value }
  await store.journal.putOutput(systemScope, run.id, name, json)
  return { stored: name }
}
