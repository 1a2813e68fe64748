import { type PinnedConnection, pausesOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { CallFailure } from '../../plugin/index.ts'
import { Sleeping } from '../failure/signals.ts'
import type { WriteContext } from '../run/contexts.ts'

/** A write of a step, or of one request of its handler. */
export interface WriteToSend {
  /** Where the journal records it. */
  readonly place: string
  /** The address of its step. */
  readonly step: string
  readonly connection: PinnedConnection
  /** Whether the run must not end before this try: an earlier one is in doubt, or its handler has changed something. */
  readonly binding: boolean
}

/**
 * Checks in the store whether a write is paused, before its intent is recorded. If it is, the run sleeps and
 * continues with the write later.
 * @throws Sleeping, or the store's error: if pauses cannot be read, nothing is sent
 */
export async function checkPaused({ pauses, run, playbooks, clock }: WriteContext, { step, connection, binding }: WriteToSend): Promise<void> {
  const standing = await pauses.standing(step)
  const [pause] = pausesOf(standing, { organization: run.organization, playbooks, connections: [connection.id] })
  if (pause) throw new Sleeping(clock.now(), binding, pause.id)
}

/**
 * Handles a try that the pause check refused after its intent was recorded. Records at once that nothing was
 * sent, so the write is not in doubt. This is not a failure of the step and does not count as a try.
 * @throws Sleeping if the write is paused; TocsinError `store_unavailable` if the store did not answer: the
 * run is then claimed again
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
