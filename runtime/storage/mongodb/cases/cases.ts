import { type CaseUuid, inScope, type Scope } from '../../../domain/index.ts'
import type { CaseStore } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { within } from '../database/index.ts'
import { type CaseDocument, caseFields, toCase } from './case-documents.ts'
import { listCases } from './case-list.ts'
import type { CaseRecorder } from './case-record.ts'
import { addMentions, listMentions } from './mentions.ts'
import { entriesByKey, readTimeline } from './timeline.ts'
import { CaseSegments } from './words/index.ts'

/** The `CaseStore` of the port on MongoDB. */
export function caseStore(collections: Collections, record: CaseRecorder): CaseStore {
  const { cases } = collections
  const segments = new CaseSegments(collections)
  const own = (scope: Scope, document: CaseDocument | null) => (document && inScope(scope, document.organization) ? toCase(document) : null)

  return {
    async byCaseId(scope, caseId) {
      return own(scope, await cases.findOne({ caseId }, { projection: caseFields }))
    },
    async get(scope, uuid) {
      return own(scope, await cases.findOne({ _id: uuid }, { projection: caseFields }))
    },
    list: (scope, query) => listCases(collections, segments, scope, query),
    async continued(scope, caseIds) {
      const found = await cases
        .find({ caseId: { $in: [...caseIds] }, 'desk.into': { $type: 'object' }, ...within(scope) })
        .project<Pick<CaseDocument, 'caseId' | 'desk'>>({ caseId: 1, 'desk.into': 1 })
        .toArray()
      return new Map(found.flatMap(({ caseId, desk }) => (desk?.into ? [[caseId, desk.into]] : [])))
    },
    async timeline(scope, uuid: CaseUuid, part) {
      const found = await cases.findOne({ _id: uuid, ...within(scope) })
      return found ? readTimeline(collections, found, part) : { entries: [], earlier: null }
    },
    async entries(scope, uuid, keys) {
      const found = await cases.findOne({ _id: uuid, ...within(scope) })
      return found ? entriesByKey(collections, found, keys) : []
    },
    mentions: (scope, principal, page) => listMentions(collections, scope, principal, page),
    async record(scope, uuid, change, entry) {
      if (entry.body.kind === 'comment' && entry.body.mentions?.length) {
        const found = await cases.findOne({ _id: uuid, ...within(scope) }, { projection: { organization: 1 } })
        if (found) await addMentions(collections, uuid, found.organization, entry)
      }
      return (await record(scope, uuid, change, entry)).found
    },
  }
}
