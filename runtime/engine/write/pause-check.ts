import { type PinnedConnection, pausesOf, systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { Sleeping } from '../failure/signals.ts'
import type { WriteContext } from '../run/contexts.ts'

/** A write of a step, or of one request of its handler. */
export interface WriteToSend {
  /** Where the journal has it. */
  readonly place: string
  readonly connection: PinnedConnection
  /** Whether an earlier try of it is in doubt: the run then may not end before it was made. */
  readonly binding: boolean
}

/**
 * Looks in the store whether a write is paused, before its intent is journaled: the run then sleeps, and goes on with the write when it may.
 * @throws Sleeping, and the store's error: what nobody can say of is not sent
 */
export async function checkPaused({ store, run, playbooks, clock }: WriteContext, { connection, binding }: WriteToSend): Promise<void> {
  const standing = await store.pauses.standing(systemScope)
  const [pause] = pausesOf(standing, { organization: run.organization, playbooks, connections: [connection.id] })
  if (pause) throw new Sleeping(clock.now(), binding, pause.id)
}

/**
 * Ends a try that the gate turned away after its intent was journaled: that nothing was sent is told to the journal at once, so that it is not in
 * doubt. It is no failure of the step and none of its tries.
 * @throws Sleeping where it is paused; TocsinError `store_unavailable` where the store did not say: the run is then taken up again
 */
export async function checkTurnedAway(
  { journal, clock }: WriteContext,
  { place, binding }: WriteToSend,
  tries: number,
  failure: CallFailure,
): Promise<void> {
  const { turnedAway, code, message } = failure
  if (!turnedAway) return
  await journal.append({ kind: 'tried', address: place, try: tries, effect: 'not_sent', code, turnedAway: true, at: clock.now() })
  if (turnedAway.pause === null) throw new TocsinError('store_unavailable', message)
  throw new Sleeping(clock.now(), binding, turnedAway.pause)
}
