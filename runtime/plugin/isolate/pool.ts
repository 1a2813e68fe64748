import type { Clock, Millis } from '../../domain/index.ts'
import { type Release, Slots, slotsFor } from '../../fairness/index.ts'
import { type IsolateJob, IsolateProcess } from './process.ts'
import type { IsolateEnd } from './protocol.ts'

export type { IsolateJob } from './process.ts'

/** Runs handlers and scripts in isolates: so many at once, the others wait for a slot. */
export interface Isolates {
  run(job: IsolateJob): Promise<IsolateEnd>
  close(): Promise<void>
}

export interface PoolSize {
  /** Calls that one owner may have under way at once. All owners together may have a third more. */
  readonly calls: number
  /** Processes that the calls are spread over, so that one that must be ended takes few calls with it. */
  readonly processes: number
}

const mebibyte = 1024 * 1024
/** Calls of more heap than this have slots of their own, so that the memory of all together is bounded. */
const ordinary = 64 * mebibyte
/** Of all owners: calls of more heap than the ordinary, and calls that have a process of their own. */
const [mostLarge, mostAlone] = [2, 2]
/** So often does a call begin again whose process was ended for another call's sake; then it has one of its own. */
export const mostMoves = 3
/** So long does a call wait for a slot. Whoever wants it then has to come again. */
const slotWithin: Millis = 30_000

/**
 * Isolates live in processes of their own, which are begun when calls come and again after they died: one that breaks takes no run with
 * it (docs/decisions/0009).
 */
export function createIsolates(size: PoolSize, clock: Clock): Isolates {
  const [slots, large, alone] = [slotsFor(size.calls), new Slots(mostLarge), new Slots(mostAlone)]
  const apart = new Set<IsolateProcess>()
  let shared: IsolateProcess[] = []
  let calls = 0
  let closed = false

  const runAlone = async (job: IsolateJob): Promise<IsolateEnd> => {
    const own = new IsolateProcess(clock, true)
    apart.add(own)
    try {
      return await own.run(++calls, job)
    } finally {
      await own.close()
      apart.delete(own)
    }
  }

  /** The process with the fewest calls; of equals, one that knows the script. */
  const leastBusy = (job: IsolateJob): IsolateProcess => {
    shared = shared.filter(({ alive }) => alive)
    const [least] = shared.toSorted((a, b) => a.calls - b.calls || Number(b.has(job.bundle)) - Number(a.has(job.bundle)))
    if (least && (least.calls === 0 || shared.length >= size.processes)) return least
    const another = new IsolateProcess(clock, false)
    shared.push(another)
    return another
  }

  const begin = async (job: IsolateJob): Promise<IsolateEnd> => {
    if (closed) return { kind: 'stopped' }
    if (!job.alone) return leastBusy(job).run(++calls, job)
    // It ended a process, or was in one that ended: it holds its slot until it knows which, however long that takes.
    const release = await slotWhile(() => alone.take(job.owner, job.signal))
    if (release === null) return { kind: 'stopped' }
    return closed ? { kind: 'stopped' } : runAlone(job).finally(release)
  }

  return {
    async run(job) {
      const release = await slotFor(job.memory > ordinary ? large : slots, job, clock)
      if (typeof release === 'string') return { kind: release }
      try {
        return await begin(job)
      } finally {
        release()
      }
    },
    async close() {
      closed = true
      await Promise.all([...shared, ...apart].map((one) => one.close()))
    },
  }
}

async function slotFor(slots: Slots, { owner, signal, again }: IsolateJob, clock: Clock): Promise<Release | 'busy' | 'stopped'> {
  if (signal.aborted) return 'stopped'
  const now = slots.tryTake(owner)
  if (now) return now
  if (again) return (await slotWhile(() => slots.take(owner, signal))) ?? 'stopped'
  const late = new AbortController()
  const cancel = clock.after(slotWithin, () => late.abort())
  const release = await slotWhile(() => slots.take(owner, AbortSignal.any([signal, late.signal])))
  cancel()
  return release ?? (signal.aborted ? 'stopped' : 'busy')
}

/** Null: it was given up before it came. */
function slotWhile(take: () => Promise<Release>): Promise<Release | null> {
  return take().catch(() => null)
}
