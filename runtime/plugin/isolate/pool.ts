import type { Clock, Millis } from '../../domain/index.ts'
import { type Release, Slots, slotsFor } from '../../fairness/index.ts'
import { type IsolateJob, IsolateProcess } from './process.ts'
import type { IsolateEnd } from './protocol.ts'

export type { IsolateJob } from './process.ts'

/** Runs handlers and scripts in isolates. If all slots are taken, further calls wait. */
export interface Isolates {
  run(job: IsolateJob): Promise<IsolateEnd>
  close(): Promise<void>
}

export interface PoolSize {
  /** How many calls one owner may run at once. All owners together may run a third more. */
  readonly calls: number
  /** How many processes share the calls. If one must be killed, only its own calls are affected. */
  readonly processes: number
}

const mebibyte = 1024 * 1024
/** Calls that need more heap than this have slots of their own, so that the total memory is limited. */
const ordinary = 64 * mebibyte
/**
 * For all owners together: how many calls with a large heap, and how many with a process of their
 * own, may run at once.
 */
const [mostLarge, mostAlone] = [2, 2]
/**
 * How often a call starts again because its process was killed on account of another call. After
 * that it gets a process of its own.
 */
export const mostMoves = 3
/** How long a call waits for a slot. After that the caller has to try again. */
const slotWithin: Millis = 30_000

/**
 * Creates the pool of isolates. They live in separate processes, which start when calls come, and
 * again after they died. So an isolate that breaks takes no run with it (docs/decisions/0009).
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

  /** Returns the process with the fewest calls. Of several, one that already has the script. */
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
    // The call has killed a process, or was in one that died. It keeps its slot until it is known which,
    // however long that takes.
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

/** Returns null if the wait was aborted. */
function slotWhile(take: () => Promise<Release>): Promise<Release | null> {
  return take().catch(() => null)
}
