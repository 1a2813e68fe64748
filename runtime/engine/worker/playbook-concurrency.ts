import type { Job } from '../../queue/index.ts'

/** More than this waiting for one playbook is left to the sweeper, which finds it in the store. */
const mostWaiting = 10_000

interface PlaybookSlots {
  inWork: number
  /** By run, in the order of coming; a job that comes twice waits once. */
  readonly waiting: Map<string, Job>
}

/** The places that playbooks with a concurrency of their own have in this process. A job that finds none waits here and holds up no other playbook. */
export class PlaybookConcurrency {
  readonly #rooms = new Map<string, PlaybookSlots>()

  /** Whether a place is free now. */
  hasRoom(playbook: string, limit: number | null): boolean {
    return limit === null || (this.#rooms.get(playbook)?.inWork ?? 0) < limit
  }

  /** Takes a place. False if none is free: then the job waits until `leave` returns it. */
  enter(playbook: string, limit: number | null, job: Job): boolean {
    if (limit === null) return true
    const room = this.#rooms.get(playbook) ?? { inWork: 0, waiting: new Map() }
    this.#rooms.set(playbook, room)
    if (room.inWork < limit) {
      room.inWork += 1
      return true
    }
    if (room.waiting.size < mostWaiting) room.waiting.set(job.run, job)
    return false
  }

  /** Gives a place back. Returns the job whose turn it is now, to be investigated again. */
  leave(playbook: string, limit: number | null): Job | null {
    const room = limit === null ? undefined : this.#rooms.get(playbook)
    if (!room) return null
    room.inWork -= 1
    const [next] = room.waiting.values()
    if (next) room.waiting.delete(next.run)
    else if (room.inWork === 0) this.#rooms.delete(playbook)
    return next ?? null
  }
}
