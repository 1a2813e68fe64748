import type { CaseDetailsView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { failed } from '../shared/toasts.tsx'
import { type CaseFields, casePath } from './requests.ts'
import { wordFor } from './words.ts'

/** A change of a case that somebody takes back. */
export interface TakingBack {
  readonly id: string
  /** What was set. */
  readonly set: CaseFields
  /** What it replaced. */
  readonly before: CaseFields
}

/** Takes a change of a case back. If somebody has changed the same fields since, their change stays, and a message says so. Never rejects. */
export async function takeBack({ id, set, before }: TakingBack): Promise<void> {
  const what = `${id} was not changed back`
  try {
    const now = await ask<CaseDetailsView>('GET', casePath(id))
    const fields = Object.keys(set) as (keyof CaseFields)[]
    const later = fields.filter((field) => now[field] !== set[field])
    if (later.length === 0) await ask('PATCH', casePath(id), before)
    else failed(what, `Somebody has changed it since: ${later.map((field) => `${field} is now ${wordFor(field, now[field])}`).join(', ')}.`)
  } catch (error) {
    failed(what, error)
  }
}
