import type { Job } from '../../queue/index.ts'

/** The most jobs that wait here for one playbook. The sweeper finds further ones in the store. */
const mostWaiting = 10_000

interface PlaybookSlots {
  inWork: number
  /** Keyed by run, in order of arrival. A job that arrives twice waits once. */
  readonly waiting: Map<string, Job>
}

/**
 * Limits how many runs of a playbook this process works on at once (`limits.concurrency`). A job over the
 * limit waits here and does not hold up other playbooks.
 */
export class PlaybookConcurrency {
  readonly #rooms = new Map<string, PlaybookSlots>()

  /** Returns whether another run of the playbook may begin now. */
  hasRoom(playbook: string, limit: number | null): boolean {
    return limit === null || (this.#rooms.get(playbook)?.inWork ?? 0) < limit
  }

  /** Counts a run that begins. Returns false if the limit is reached. Then the job waits until `leave` returns it. */
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

  /** Counts a run that ends. Returns the job whose turn it is now, or null if none waits. */
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
