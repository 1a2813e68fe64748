import type { RetryPreviewView } from '../../runtime/api/index.ts'
import { Refused } from '../api/refused.ts'
import { retryAlert, retryPreview } from './queries.ts'

/** How many requests are under way at once. */
const together = 4

const noAnswer = 'Not sent, because Tocsin did not answer.'

/** An alert that somebody wants to retry, and what became of that. */
export type Line =
  | { readonly id: string; readonly state: 'ready'; readonly preview: RetryPreviewView }
  | { readonly id: string; readonly state: 'not_possible' | 'done' | 'failed' | 'unknown' | 'stopped'; readonly text: string }

/** Asks what a retry of each alert may repeat. Once the signal aborts, it asks no more. */
export function lookAtAll(ids: readonly string[], signal: AbortSignal, progress: (count: number) => void): Promise<readonly Line[]> {
  return each(ids, progress, () => (signal.aborted ? 'Stopped before its turn.' : null), lookAt(signal))
}

/**
 * Retries each alert. It begins no more of them once the signal aborts, or once an answer is lost: Tocsin may be down, and the other answers would be lost too.
 */
export function retryAll(ids: readonly string[], signal: AbortSignal, progress: (count: number) => void): Promise<readonly Line[]> {
  let lost = false
  const stopped = (): string | null => {
    if (lost) return noAnswer
    return signal.aborted ? 'Stopped before its turn.' : null
  }
  return each(ids, progress, stopped, async (id) => {
    const line = await retryOne(id)
    lost ||= line.state === 'unknown'
    return line
  })
}

function lookAt(signal: AbortSignal) {
  return async (id: string): Promise<Line> => {
    try {
      const preview = await retryPreview(id, signal)
      if (preview.retriable) return { id, state: 'ready', preview }
      return { id, state: 'not_possible', text: 'Its investigation has not ended, or it has no type.' }
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 0) return { id, state: 'stopped', text: noAnswer }
      return { id, state: 'not_possible', text: textOf(error) }
    }
  }
}

async function retryOne(id: string): Promise<Line> {
  try {
    await retryAlert(id)
    return { id, state: 'done', text: 'Another attempt is waiting for a worker.' }
  } catch (error) {
    if (error instanceof Refused && error.inDoubt)
      return { id, state: 'unknown', text: 'The answer was lost, so it may have started. Look at the alert before you retry it.' }
    return { id, state: 'failed', text: textOf(error) }
  }
}

function textOf(error: unknown): string {
  return error instanceof Refused ? `${error.problem.detail} ${error.problem.remedy}` : String(error)
}

/** Does something for each id, a few at a time, in order. @param stopped why no more are begun, or null */
async function each(
  ids: readonly string[],
  progress: (count: number) => void,
  stopped: () => string | null,
  act: (id: string) => Promise<Line>,
): Promise<readonly Line[]> {
  const lines = new Map<string, Line>()
  let next = 0
  const work = async (): Promise<void> => {
    while (stopped() === null) {
      const id = ids[next++]
      if (id === undefined) return
      lines.set(id, await act(id))
      if (stopped() === null) progress(lines.size)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return ids.map((id) => lines.get(id) ?? { id, state: 'stopped', text: stopped() ?? 'Stopped before its turn.' })
}
