import type { Filter } from 'mongodb'
import { type Case, type CaseSort, type Scope, severities, severityStep } from '../../../domain/index.ts'
import type { CaseQuery, Page } from '../../port/index.ts'
import { type Collections, following, openStatuses, readPage, within } from '../database/index.ts'
import { type CaseDocument, caseFields, toCase } from './case-documents.ts'

function conditions(scope: Scope, query: CaseQuery): Filter<CaseDocument> {
  const { organizations, statuses, severities: severe, dispositions, assignees, tags, words, createdFrom, createdTo, attention } = query
  return {
    $and: [
      within(scope, organizations),
      statuses ? { status: { $in: [...statuses] } } : {},
      statuses && !statuses.includes('closed') ? { status: { $in: [...openStatuses] } } : {},
      severe ? { severity: { $in: [...severe] } } : {},
      dispositions ? { disposition: { $in: [...dispositions] } } : {},
      assignees ? { assignee: { $in: [...assignees] } } : {},
      tags ? { 'desk.tags': { $in: [...tags] } } : {},
      ...(words ?? []).map((word) => ({ $or: ['caseId', 'title', 'summary'].map((field) => ({ [field]: containing(word) })) })),
      createdFrom === undefined ? {} : { createdAt: { $gte: createdFrom } },
      createdTo === undefined ? {} : { createdAt: { $lt: createdTo } },
      attention === undefined ? {} : { attention: attention ? true : { $exists: false } },
    ],
  } as Filter<CaseDocument>
}

function containing(word: string): RegExp {
  return new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

export async function listCases(collections: Collections, scope: Scope, query: CaseQuery): Promise<Page<Case>> {
  const { sort = '-created_at' } = query
  if (sort === 'severity' || sort === '-severity') return readBySeverity(collections, scope, query, sort)
  return casesOf(await readOrdered(collections, scope, { ...query, sort }))
}

/** Reads one severity after the other, each by its index. Sorting all cases would take longer with every case. */
async function readBySeverity(collections: Collections, scope: Scope, query: CaseQuery, sort: 'severity' | '-severity'): Promise<Page<Case>> {
  const [direction, order] = sort === 'severity' ? ([1, 'created_at'] as const) : ([-1, '-created_at'] as const)
  const { after, limit, severities: wanted = severities } = query
  const begun = after && Math.floor(after.key / severityStep)
  const items: CaseDocument[] = []
  for (const severity of direction === 1 ? severities : severities.toReversed()) {
    const rank = severities.indexOf(severity)
    if (!wanted.includes(severity) || (begun !== null && (rank - begun) * direction < 0)) continue
    const from = after && rank === begun ? { key: after.key - rank * severityStep, uuid: after.uuid } : null
    const part = await readOrdered(collections, scope, { ...query, severities: [severity], sort: order, after: from, limit: limit - items.length })
    items.push(...part.items)
    if (part.more) return casesOf({ items, more: true })
  }
  return casesOf({ items, more: false })
}

function readOrdered({ cases }: Collections, scope: Scope, query: CaseQuery & { readonly sort: CaseSort }): Promise<Page<CaseDocument>> {
  const { sort, after, limit } = query
  const [beyond, direction] = sort.startsWith('-') ? (['$lt', -1] as const) : (['$gt', 1] as const)
  const field = fieldOf(sort)
  const found = cases.find(
    { $and: [conditions(scope, query), ...(after ? following<CaseDocument>(field, after.key, after.uuid, beyond) : [])] },
    { projection: caseFields, sort: { [field]: direction, _id: direction }, limit: limit + 1 },
  )
  return readPage(found, limit)
}

function fieldOf(sort: CaseSort): 'modifiedAt' | 'createdAt' {
  return sort.endsWith('modified_at') ? 'modifiedAt' : 'createdAt'
}

function casesOf({ items, more }: Page<CaseDocument>): Page<Case> {
  return { items: items.map(toCase), more }
}
