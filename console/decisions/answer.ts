import type { DecisionView, PageView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { parseExactly } from '../api/exact-json.ts'
import { decisionPath } from '../api/queries.ts'
import { Refused } from '../api/refused.ts'
import type { Verdict } from './words.ts'

/** An answer in the form that the API takes. */
export interface Answer {
  readonly verdict: Verdict
  readonly reason?: string
  readonly output?: unknown
}

/** The person entered an output that is not JSON. */
export class NotJson extends Error {}

/**
 * Reads the answer from a form. Returns null if no verdict is chosen. Leaves out an empty reason or output. Only `happened` has an output.
 * @throws NotJson if the output is not JSON
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
    return parseExactly(text)
  } catch (error) {
    throw new NotJson(`The answer of the system is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The result for the other decisions that wait for the same quota. */
export interface Likewise {
  readonly answered: number
  /** How many were refused, by error code. */
  readonly refused: ReadonlyMap<string, number>
  /** Whether the reply to the last one was lost. Then nobody knows whether it is answered. */
  readonly lost: boolean
  /** How many were not sent after a lost reply. Null: they could not be listed, so none was sent. */
  readonly left: number | null
}

/**
 * Gives the same answer to the other open decisions of the organization that wait for the same quota. Answers no more of them than the page
 * said, the oldest first: nobody has agreed to those that came later. Sends one answer for each, because each belongs to one call. Continues
 * if one of them cannot be answered (somebody else was quicker, or its run has ended), and stops if a reply is lost.
 * @param decision as the page showed it when the answer was given
 * @param onProgress called after each answer
 */
export async function answerLikewise(
  { id, organization_code, quota }: DecisionView,
  answer: Answer,
  onProgress: (done: number, all: number) => void,
): Promise<Likewise> {
  const refused = new Map<string, number>()
  const waiting = quota === null ? [] : await waitingFor(organization_code, quota.skill)
  if (waiting === null) return { answered: 0, refused, lost: false, left: null }
  const others = waiting.filter((other) => other !== id).slice(0, Math.max(0, (quota?.waiting ?? 0) - 1))
  let answered = 0
  for (const [index, other] of others.entries()) {
    try {
      await ask('POST', decisionPath(other), answer)
      answered += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.problem.status === 0) return { answered, refused, lost: true, left: others.length - index - 1 }
      refused.set(error.problem.code, (refused.get(error.problem.code) ?? 0) + 1)
    }
    onProgress(index + 1, others.length)
  }
  return { answered, refused, lost: false, left: 0 }
}

/** Lists the ids of open decisions that wait for a quota, oldest first. Null: Tocsin did not list them. */
async function waitingFor(organization: string, skill: string): Promise<readonly string[] | null> {
  try {
    return await listWaiting(organization, skill)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

async function listWaiting(organization: string, skill: string): Promise<readonly string[]> {
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
