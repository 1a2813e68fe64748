import { asId, type Ids, type Millis, type Pause, type PauseId, type PrincipalId, type RunId, systemScope } from '../../../domain/index.ts'
import type { Store } from '../../port/index.ts'
import { type Collections, counterFloor } from '../database/index.ts'

type Pausing = Pick<Store, 'pauses'>

/** More numbers than an installation gives between a backup and its restoration. */
const numbersAfterRestoration = 1_000_000
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Raises every counter above all numbers in the database, and above those that may have been given after it
 * was copied. Counters that the database lacks start there too.
 */
export async function raiseNumbers({ counters, alerts, cases }: Collections): Promise<void> {
  const ofAlerts = alerts.aggregate<{ _id: string; last: number }>([{ $group: { _id: '$numberedAs', last: { $max: '$sequence' } } }], {
    allowDiskUse: true,
  })
  const ofCases = cases.aggregate<{ _id: string; last: number; caseId: string }>([
    { $group: { _id: '$organization', last: { $max: '$number' }, caseId: { $first: '$caseId' } } },
  ])
  const raise = async (counter: string, last: number): Promise<void> => {
    if (Number.isInteger(last)) await counters.updateOne({ _id: counter }, { $max: { last } }, { upsert: true })
  }
  for await (const { _id, last } of ofAlerts) await raise(`alert ${_id}`, last)
  for await (const { caseId, last } of ofCases) await raise(`case ${caseId.slice(0, caseId.lastIndexOf('-'))}`, last)
  await counters.updateOne({ _id: counterFloor }, { $setOnInsert: { last: 0 } }, { upsert: true })
  await counters.updateMany({}, { $inc: { last: numbersAfterRestoration } })
}

/**
 * Returns whether any run is unfinished, any alert waits (also for the end of a pause, or for its automatic retry), or any fetch is enabled:
 * the original may fetch the same alerts.
 */
export async function somethingIsUnderWay({ runs, alerts, fetches }: Collections): Promise<boolean> {
  const projection = { _id: 1 }
  const found = await Promise.all([
    runs.findOne({ state: { $in: ['running', 'waiting'] } }, { projection }),
    alerts.findOne({ waitingSince: { $exists: true } }, { projection }),
    alerts.findOne({ heldBy: { $exists: true } }, { projection }),
    alerts.findOne({ retryAt: { $gt: 0 } }, { projection }),
    fetches.findOne({ enabled: true }, { projection }),
  ])
  return found.some((one) => one !== null)
}

/** Pauses everything, in the name of the administrator if the store has one. */
export async function pauseEverything(
  { settings }: Collections,
  { pauses }: Pausing,
  { id, ...act }: { readonly id: PauseId; readonly by: string; readonly reason: string; readonly at: Millis },
): Promise<Pause> {
  const administrator = (await settings.findOne({ _id: 'administrator' }))?.value
  const principal = asId<PrincipalId>(administrator ?? nobody)
  return pauses.begin(systemScope, { id, target: { kind: 'everything' }, paused: { ...act, principal }, resumed: null })
}

/**
 * Cancels unfinished runs and pauses everything, because the lost data may have recorded what the runs did.
 * Returns the cancelled runs.
 */
export async function stopEverything(
  collections: Collections,
  store: Pick<Store, 'pauses' | 'runs'>,
  by: string,
  at: Millis,
  ids: Ids,
): Promise<readonly RunId[]> {
  const reason = 'Part of the store was lost. Alerts that wait may have been investigated before: look at them, then resume.'
  const { paused } = await pauseEverything(collections, store, { by, reason, at, id: asId<PauseId>(ids.uuid()) })
  const running = await collections.runs.find({ state: { $in: ['running', 'waiting'] } }, { projection: { _id: 1 } }).toArray()
  const found = running.map(({ _id }) => asId<RunId>(String(_id)))
  for (const run of found)
    await store.runs.cancel(systemScope, run, { ...paused, reason: 'Part of the store was lost: the journal of this run may lack what it did.' })
  return found
}
