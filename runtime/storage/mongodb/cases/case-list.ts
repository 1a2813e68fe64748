import type { Document, Filter } from 'mongodb'
import { type Case, type CasePosition, type CaseSort, type CaseUuid, type Scope, severities, severityStep } from '../../../domain/index.ts'
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

const severityKey = {
  $add: [{ $multiply: [{ $indexOfArray: [[...severities], '$severity'] }, severityStep] }, '$createdAt'],
}

export async function listCases({ cases }: Collections, scope: Scope, query: CaseQuery): Promise<Page<Case>> {
  const { sort = '-created_at', after, limit } = query
  const [beyond, direction] = sort.startsWith('-') ? (['$lt', -1] as const) : (['$gt', 1] as const)
  const wanted = conditions(scope, query)
  if (sort.endsWith('severity')) {
    const found = cases.aggregate<CaseDocument>([
      { $match: wanted },
      { $project: { ...caseFields, key: severityKey } },
      ...pageFrom(after, beyond),
      { $sort: { key: direction, _id: direction } },
      { $limit: limit + 1 },
      { $unset: 'key' },
    ])
    return casesOf(await readPage(found, limit))
  }
  const field = fieldOf(sort)
  const found = cases.find(
    { $and: [wanted, ...(after ? following<CaseDocument>(field, after.key, after.uuid, beyond) : [])] },
    { projection: caseFields, sort: { [field]: direction, _id: direction }, limit: limit + 1 },
  )
  return casesOf(await readPage(found, limit))
}

function fieldOf(sort: CaseSort): 'modifiedAt' | 'createdAt' {
  return sort.endsWith('modified_at') ? 'modifiedAt' : 'createdAt'
}

function pageFrom(after: CasePosition | null, beyond: '$lt' | '$gt'): Document[] {
  return after ? [{ $match: { $or: [{ key: { [beyond]: after.key } }, { key: after.key, _id: { [beyond]: after.uuid as CaseUuid } }] } }] : []
}

function casesOf({ items, more }: Page<CaseDocument>): Page<Case> {
  return { items: items.map(toCase), more }
}
