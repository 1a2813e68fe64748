import { TocsinError } from '../../../errors/index.ts'
import { type Answer, findTarget, listAll, Refused, request } from '../../client.ts'
import { json as jsonText, linesText, plain } from '../../print.ts'
import { Progress } from '../../progress.ts'
import type { Shared } from '../../remote-command.ts'

/** The result for one decision: its new state, or the code of the refusal. */
interface Answered {
  readonly id: string
  readonly title: string
  readonly state: string
  readonly refused: string | null
}

/**
 * Answers a decision and all open decisions that wait for the same quota. Sends one answer for each, because each belongs to one call and is
 * recorded. Continues if one of them cannot be answered (somebody else was quicker, or its run has ended).
 * @throws TocsinError `decision_verdict_invalid` if the decision is not about a quota
 */
export async function answerSameQuota(id: string, body: Answer, options: Shared): Promise<void> {
  const target = findTarget(options)
  const pathOf = (one: string): string => `/platformapi/decisions/${encodeURIComponent(one)}`
  const first = await request(target, 'GET', pathOf(id))
  const quota = first['quota'] as Answer | null
  if (quota === null)
    throw new TocsinError('decision_verdict_invalid', '--same-quota needs a decision about a quota. This one is about something else.')
  const query = new URLSearchParams({
    state: 'open',
    kind: 'quota',
    organization: String(first['organization_code']),
    quota: String(quota['skill']),
    limit: '100',
  })
  const open: Answer[] = []
  for await (const decision of listAll(target, `/platformapi/decisions?${query}`)) open.push(decision)
  const others = open.filter((one) => one['id'] !== first['id']).toReversed()
  const all = [first, ...others]
  const progress = new Progress('decisions', all.length)
  const answered: Answered[] = []
  let broken: unknown = null
  for (const { id: one, title } of all) {
    const known = { id: String(one), title: String(title) }
    try {
      answered.push({ ...known, state: String((await request(target, 'POST', pathOf(known.id), body))['state']), refused: null })
    } catch (error) {
      if (!(error instanceof Refused)) {
        broken = error
        break
      }
      answered.push({ ...known, state: 'open', refused: String(error.problem['code']) })
    }
    progress.step()
  }
  progress.end()
  if (options.json) console.log(jsonText(answered))
  else console.log(summary(String(quota['skill']), answered))
  // Thrown only now, so that the answers given before the error are printed.
  if (broken !== null) throw broken
  if (answered.some(({ refused }) => refused !== null)) process.exitCode = 1
}

function summary(skill: string, answered: readonly Answered[]): string {
  const states = Object.entries(
    Object.groupBy(
      answered.filter(({ refused }) => refused === null),
      ({ state }) => state,
    ),
  )
  const refused = answered.flatMap(({ id, title, refused: code }) =>
    code === null ? [] : [`  not answered (${plain(code)}): ${plain(id)} ${plain(title)}`],
  )
  return linesText([`${plain(skill)}: ${states.map(([state, of]) => `${of?.length} ${plain(state)}`).join(', ') || 'none answered'}`, ...refused])
}
