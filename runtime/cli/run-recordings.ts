import { TocsinError } from '../errors/index.ts'
import { isoTime, parseDuration } from '../formats/index.ts'
import type { Recording } from '../rehearsal/index.ts'
import { type Answer, listAll, request, type Target } from './client.ts'

/** Selects runs. */
export interface RunFilter {
  readonly since?: string
  readonly playbook?: string
  readonly alertType?: string
  readonly organization?: string
  readonly state?: string
  readonly limit: number
}

/** Parses a duration before now (`7d`) or a time. @returns epoch milliseconds @throws TocsinError `config_invalid` */
function sinceOf(text: string, now: number): number {
  try {
    return now - parseDuration(text)
  } catch {
    const time = isoTime(text)
    if (time !== undefined) return time
    throw new TocsinError('config_invalid', `--since: "${text}" is neither a duration such as 7d nor a time such as 2026-01-01T00:00:00Z`)
  }
}

/** Lists the selected runs, newest first. */
export async function listRuns(
  target: Target,
  { since, playbook, alertType, organization, state, limit }: RunFilter,
  now: number,
): Promise<readonly Answer[]> {
  const query = new URLSearchParams({ limit: String(Math.min(limit, 1_000)) })
  if (since !== undefined) query.set('since', String(sinceOf(since, now)))
  if (playbook !== undefined) query.set('playbook', playbook)
  if (alertType !== undefined) query.set('alert_type', alertType)
  if (organization !== undefined) query.set('organization', organization)
  if (state !== undefined) query.set('state', state)
  const found: Answer[] = []
  for await (const run of listAll(target, `/platformapi/runs?${query}`)) {
    found.push(run)
    if (found.length >= limit) break
  }
  return found
}

export function fetchRun(target: Target, run: string): Promise<Answer> {
  return request(target, 'GET', `/platformapi/runs/${encodeURIComponent(run)}`)
}

export async function fetchRecording(target: Target, run: string): Promise<Recording> {
  return (await request(target, 'GET', `/platformapi/runs/${encodeURIComponent(run)}/recording`)) as unknown as Recording
}
