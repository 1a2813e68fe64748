import type { DecisionView, PageView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { decisionPath } from '../api/queries.ts'
import { Refused } from '../api/refused.ts'
import type { Verdict } from './words.ts'

/** An answer as the API takes it. */
export interface Answer {
  readonly verdict: Verdict
  readonly reason?: string
  readonly output?: unknown
}

/** An output that is not JSON. */
export class NotJson extends Error {}

/**
 * The answer that a form holds; null while no verdict is chosen. An empty reason or output is none; only of `happened` there is an output.
 * @throws NotJson when the output is not JSON
 */
export function answerIn(form: FormData): Answer | null {
  const verdict = form.get('verdict')
  if (typeof verdict !== 'string') return null
  const reason = String(form.get('reason') ?? '').trim()
  const output = verdict === 'happened' ? String(form.get('output') ?? '').trim() : ''
  return { verdict: verdict as Verdict, ...(reason !== '' && { reason }), ...(output !== '' && { output: json(output) }) }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NotJson(`The answer of the system is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What became of the others that waited for the same quota. */
export interface Likewise {
  readonly answered: number
  /** Why each of the others was not, by code: how often. */
  readonly refused: ReadonlyMap<string, number>
}

/**
 * Answers every other open decision of the organization that waits for the same quota likewise, each by itself: each is bound to its call.
 * One that cannot be answered (another was quicker, its run has ended) keeps none of the others.
 * @param onProgress told after each, with how many there are
 * @throws Refused when there is no answer
 */
export async function answerLikewise(
  { id, organization_code, quota }: DecisionView,
  answer: Answer,
  onProgress: (done: number, all: number) => void,
): Promise<Likewise> {
  const others = quota === null ? [] : (await waitingFor(organization_code, quota.skill)).filter((other) => other !== id)
  const refused = new Map<string, number>()
  let answered = 0
  for (const [index, other] of others.entries()) {
    try {
      await ask('POST', decisionPath(other), answer)
      answered += 1
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status === 0) throw error
      refused.set(error.problem.code, (refused.get(error.problem.code) ?? 0) + 1)
    }
    onProgress(index + 1, others.length)
  }
  return { answered, refused }
}

/** The oldest first. */
async function waitingFor(organization: string, skill: string): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const query: URLSearchParams = new URLSearchParams({ state: 'open', kind: 'quota', organization, quota: skill, limit: '100' })
    if (cursor !== null) query.append('cursor', cursor)
    const page: PageView<DecisionView> = await ask('GET', `/platformapi/decisions?${query}`)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor !== null)
  return ids.toReversed()
}
