import { mostUrgentError, Sleeping } from '../../failure/signals.ts'
import type { BranchStop } from './branch-stop.ts'

/** One of several parts that a step runs concurrently: an iteration or a branch. */
export interface Part {
  /** Whether an earlier execution began it. Then it is replayed whatever happens to the others: it may have changed something. */
  readonly begun: boolean
  run(): Promise<void>
}

/**
 * Runs parts concurrently, at most `atOnce`, in their order. If one sleeps, the others go on. If one fails,
 * those under way finish, and no further part begins, except those that an earlier execution began.
 * @throws the most important of their errors (`mostUrgentError`), when all have ended
 */
export async function runConcurrently(parts: readonly Part[], atOnce: number): Promise<void> {
  let next = 0
  const thrown: unknown[] = []
  /** Returns whether the part sleeps. */
  const attempt = async (part: Part): Promise<boolean> => {
    try {
      await part.run()
      return false
    } catch (error) {
      thrown.push(error)
      return error instanceof Sleeping
    }
  }
  const work = async (): Promise<void> => {
    for (let part = parts[next++]; part !== undefined; part = parts[next++]) {
      if (!part.begun && thrown.some((error) => !(error instanceof Sleeping))) continue
      // A sleeping part still counts as one of `atOnce`.
      if (await attempt(part)) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, work))
  // If all of them sleep, the remaining parts that an earlier execution began are still replayed.
  for (const part of parts.slice(next)) if (part.begun) await attempt(part)
  if (thrown.length > 0) throw mostUrgentError(thrown)
}

type Within = Pick<BranchStop, 'isOver'>

/** Work that continues while later steps run: branches that a `parallel` did not wait for. */
export class BackgroundWork {
  readonly #work: { readonly error: Promise<unknown>; readonly within: Within }[] = []

  /**
   * @param work what continues
   * @param within the part of the playbook that it belongs to
   */
  add(work: Promise<void>, within: Within): void {
    const error = work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    this.#work.push({ error, within })
  }

  /**
   * Waits for all of it, including work that was added meanwhile.
   * @returns the errors of the work. Leaves out that it sleeps, if it belongs to a part that was stopped
   */
  async ended(): Promise<readonly unknown[]> {
    const errors: { readonly error: unknown; readonly within: Within }[] = []
    for (let work = this.#work.shift(); work !== undefined; work = this.#work.shift()) {
      const error = await work.error
      if (error !== null) errors.push({ error, within: work.within })
    }
    // A part may be stopped after the work in it fell asleep.
    return errors.filter(({ error, within }) => !(error instanceof Sleeping && !error.binding && within.isOver)).map(({ error }) => error)
  }
}
