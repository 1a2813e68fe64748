import { TocsinError } from '../../../errors/index.ts'
import { type Answer, findTarget, request, type Target } from '../../client.ts'
import { json as jsonText } from '../../print.ts'
import type { Shared } from '../../remote-command.ts'
import { runText, stepsText, stepText } from '../../views/index.ts'

export interface ShowOptions extends Shared {
  readonly steps?: boolean
  readonly step?: string
  readonly value?: string
  readonly within?: string
  readonly failed?: boolean
  readonly all?: boolean
  readonly limit: number
}

const mostOfPage = 200

/** Shows a run with its steps, or some of its steps with details, or one step. */
export async function showRun(id: string, options: ShowOptions): Promise<void> {
  const target = findTarget(options)
  const path = `/platformapi/runs/${encodeURIComponent(id)}`
  if (options.value !== undefined && options.step === undefined) throw new TocsinError('config_invalid', '--value needs --step.')
  if (options.step !== undefined) return showStep(target, path, id, options.step, options)
  if (options.steps) {
    const page = await stepsOf(target, path, options)
    return console.log(options.json ? jsonText(page) : stepsText(page, { details: true, run: id }))
  }
  const run = await request(target, 'GET', path)
  if (options.json) return console.log(jsonText(run))
  console.log(`${runText(run)}\n`)
  console.log(stepsText(await stepsOf(target, path, options), { details: false, run: id }))
}

async function showStep(target: Target, path: string, id: string, step: string, { value, json }: ShowOptions): Promise<void> {
  if (value === undefined) {
    const found = await request(target, 'GET', `${path}/step?${new URLSearchParams({ address: step })}`)
    return console.log(json ? jsonText(found) : stepText(id, found))
  }
  const found: unknown = await request(target, 'GET', `${path}/step/value?${new URLSearchParams({ address: step, part: value })}`)
  console.log(jsonText(found))
}

/** Reads pages until it has `limit` steps. Takes totals and notes from the first page. */
async function stepsOf(target: Target, path: string, { within, failed, all, limit }: ShowOptions): Promise<Answer> {
  const query = new URLSearchParams({ limit: String(Math.min(limit, mostOfPage)), loops: all || failed ? 'all' : 'grouped' })
  if (within !== undefined) query.set('within', within)
  if (failed) for (const state of ['failed', 'in_doubt', 'interrupted']) query.append('state', state)
  const items: Answer[] = []
  let first: Answer = {}
  let cursor: unknown = null
  do {
    if (cursor !== null) query.set('cursor', String(cursor))
    const page = await request(target, 'GET', `${path}/steps?${query}`)
    if (cursor === null) first = page
    items.push(...(page['items'] as Answer[]))
    cursor = page['next_cursor'] ?? null
  } while (cursor !== null && items.length < limit)
  return { ...first, items: items.slice(0, limit), next_cursor: cursor }
}
