import { type CaseUuid, inScope, type Scope } from '../../../domain/index.ts'
import type { CaseStore } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { following, readPage, within } from '../database/index.ts'
import { type CaseDocument, caseFields, toCase } from './case-documents.ts'
import type { CaseRecorder } from './case-record.ts'
import { readTimeline } from './timeline.ts'

export function caseStore(collections: Collections, record: CaseRecorder): CaseStore {
  const { cases } = collections
  const own = (scope: Scope, document: CaseDocument | null) => (document && inScope(scope, document.organization) ? toCase(document) : null)

  return {
    async byCaseId(scope, caseId) {
      return own(scope, await cases.findOne({ caseId }, { projection: caseFields }))
    },
    async get(scope, uuid) {
      return own(scope, await cases.findOne({ _id: uuid }, { projection: caseFields }))
    },
    async list(scope, { organizations, statuses, severities, attention, after, limit }) {
      const found = cases.find(
        {
          $and: [
            within(scope, organizations),
            statuses ? { status: { $in: [...statuses] } } : {},
            severities ? { severity: { $in: [...severities] } } : {},
            attention === undefined ? {} : { attention: attention ? true : { $exists: false } },
            ...(after ? following<CaseDocument>('createdAt', after.createdAt, after.uuid) : []),
          ],
        },
        { projection: caseFields, sort: { createdAt: -1, _id: -1 }, limit: limit + 1 },
      )
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toCase) }
    },
    async timeline(scope, uuid: CaseUuid, part) {
      const found = await cases.findOne({ _id: uuid, ...within(scope) })
      return found ? readTimeline(collections, found, part) : { entries: [], earlier: null }
    },
    record: async (scope, uuid, change, entry) => (await record(scope, uuid, change, entry)).found,
  }
}
