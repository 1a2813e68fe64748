import type { Collection, Filter } from 'mongodb'
import type { CaseQuery } from '../../port/index.ts'
import { openStatuses } from '../database/index.ts'
import type { CaseDocument } from './case-documents.ts'

/** Looking up more cases than this one by one takes longer than following the order of the list to the end of a page. */
export const mostFew = 5_000

/** Returns the filters that may leave few cases, each with an index that has its values first. */
function narrowing({ statuses, dispositions, assignees, tags, createdFrom, createdTo, attention }: CaseQuery) {
  const found: { readonly filter: Filter<CaseDocument>; readonly hint: string | Readonly<Record<string, 1>> }[] = []
  const order = { createdAt: 1, _id: 1 } as const
  if (dispositions) found.push({ filter: { disposition: { $in: [...dispositions] } }, hint: { disposition: 1, ...order } })
  if (assignees) found.push({ filter: { assignee: { $in: [...assignees] } }, hint: 'assignee_or_nobody' })
  if (tags) found.push({ filter: { 'desk.tags': { $in: [...tags] } }, hint: { 'desk.tags': 1, ...order } })
  if (attention === true) found.push({ filter: { attention: true }, hint: { attention: 1, ...order, organization: 1 } })
  if (statuses && !statuses.includes('closed'))
    found.push({
      filter: { $and: [{ status: { $in: [...statuses] } }, { status: { $in: [...openStatuses] } }] },
      hint: { status: 1, ...order, organization: 1 },
    })
  if (createdFrom !== undefined || createdTo !== undefined)
    found.push({ filter: { createdAt: { $gte: createdFrom ?? 0, $lt: createdTo ?? Number.MAX_SAFE_INTEGER } }, hint: order })
  return found
}

/** Returns whether one of the filters alone leaves so few cases that reading all of them takes less time than a search for words. */
export async function leavesFew(cases: Collection<CaseDocument>, query: CaseQuery): Promise<boolean> {
  const counts = await Promise.all(narrowing(query).map(({ filter, hint }) => cases.countDocuments(filter, { hint, limit: mostFew })))
  return counts.some((count) => count < mostFew)
}
