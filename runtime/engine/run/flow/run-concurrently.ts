import { foremost, Sleeping } from '../../failure/signals.ts'

/** One of several things that a step does at the same time: an iteration, a branch. */
export interface Part {
  /** Whether an earlier life of the run began it: then it is gone through again whatever becomes of the others, for what it did counts. */
  readonly begun: boolean
  run(): Promise<void>
}

/**
 * Runs parts at the same time, so many of them, in their order. While one sleeps, the others go on. When one has failed, those under way end by themselves and no further one
 * begins, but for those that an earlier life began.
 * @throws the foremost of what they threw, when all have ended
 */
export async function runConcurrently(parts: readonly Part[], atOnce: number): Promise<void> {
  let next = 0
  const thrown: unknown[] = []
  /** Whether it sleeps. */
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
      // What sleeps is still one of those at work.
      if (await attempt(part)) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, parts.length) }, work))
  // When all of them sleep, what an earlier life began beyond them is settled none the less.
  for (const part of parts.slice(next)) if (part.begun) await attempt(part)
  if (thrown.length > 0) throw foremost(thrown)
}

/** What goes on while the steps after it run: branches that a `parallel` did not wait for. */
export class BackgroundWork {
  readonly #work: Promise<unknown>[] = []

  /** @param work resolves with what it threw, or null */
  add(work: Promise<void>): void {
    this.#work.push(
      work.then(
        () => null,
        (error: unknown) => error,
      ),
    )
  }

  /** Waits for all of it, what it leaves running itself included. @returns what was thrown in it */
  async ended(): Promise<readonly unknown[]> {
    const errors: unknown[] = []
    for (let work = this.#work.shift(); work !== undefined; work = this.#work.shift()) {
      const error = await work
      if (error !== null) errors.push(error)
    }
    return errors
  }
}
