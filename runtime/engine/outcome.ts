import type { Effect, Failure, Json, Millis } from '../domain/index.ts'
import { systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { Prepared } from './prepared.ts'
import { RunFailed } from './signals.ts'
import { failed, type Walk } from './walk.ts'

/** What became of a skill step, live or from the log. */
export type SkillOutcome =
  | { readonly ok: true; readonly output: Json; readonly at: Millis }
  | { readonly ok: false; readonly effect: Effect; readonly failure: Failure; readonly at: Millis }

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
  if (record.kind === 'failed') return { ok: false, effect: record.effect, failure: record.failure, at: record.at }
  if ('value' in record.output) return { ok: true, output: record.output.value, at: record.at }
  const json = await walk.store.journal.getOutput(systemScope, walk.run.id, record.output.stored)
  if (json === null) throw new TocsinError('internal', `The stored output of ${address} is gone.`)
  return { ok: true, output: JSON.parse(json), at: record.at }
}

/** Puts an outcome into the log; an output over the playbook's limit becomes a failure there. */
export async function store(walk: Walk, { address, digest }: Pick<Prepared, 'address' | 'digest'>, outcome: SkillOutcome): Promise<SkillOutcome> {
  if (!outcome.ok) {
    walk.journal.push({ kind: 'failed', address, digest, effect: outcome.effect, failure: outcome.failure, at: outcome.at })
    return outcome
  }
  const json = JSON.stringify(outcome.output)
  if (json.length > walk.plan.limits.output) {
    const failure = failed('output_too_large', `${json.length} characters, and limits.output is ${walk.plan.limits.output}.`, address)
    return store(walk, { address, digest }, { ok: false, effect: 'done', failure, at: outcome.at })
  }
  if (json.length <= inlineLimit) {
    walk.journal.push({ kind: 'done', address, digest, output: { value: outcome.output }, at: outcome.at })
    return outcome
  }
  // The output first: a record never names what is not there.
  await walk.store.journal.putOutput(systemScope, walk.run.id, address, json)
  walk.journal.push({ kind: 'done', address, digest, output: { stored: address }, at: outcome.at })
  return outcome
}
