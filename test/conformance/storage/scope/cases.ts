import { expect } from 'vitest'
import { asId, type CaseUuid, type PrincipalId } from '../../../../runtime/domain/index.ts'
import { wholeTimeline } from '../../../support/timeline.ts'
import { everyone, noteOf } from '../fixtures.ts'
import { nothing, type ScopeCases } from './world.ts'

export const cases: ScopeCases<'cases'> = {
  async byCaseId({ store, stranger, owner, claimed }) {
    expect(await store.cases.byCaseId(stranger.scope, claimed.run.caseId)).toBeNull()
    expect(await store.cases.byCaseId(owner.scope, claimed.run.caseId)).toMatchObject({ uuid: claimed.run.case })
  },
  async get({ store, stranger, owner, claimed }) {
    expect(await store.cases.get(stranger.scope, claimed.run.case)).toBeNull()
    expect(await store.cases.get(owner.scope, claimed.run.case)).toMatchObject({ uuid: claimed.run.case })
  },
  async list({ store, stranger, owner }) {
    for (const parts of [{}, { organizations: [owner.id] }])
      expect(await store.cases.list(stranger.scope, { after: null, limit: 9, ...parts })).toEqual(nothing)
    expect((await store.cases.list(owner.scope, { after: null, limit: 9 })).items).toHaveLength(2)
  },
  async continued({ store, stranger, owner, claimed }) {
    const other = { uuid: asId<CaseUuid>('another'), caseId: 'ANOTHER-1' }
    const merge = { kind: 'merge', act: 'into', by: 'Ada', text: null, other } as const
    await store.cases.record(owner.scope, claimed.run.case, null, { ...noteOf('merge'), body: merge })
    expect(await store.cases.continued(stranger.scope, [claimed.run.caseId])).toEqual(new Map())
    expect(await store.cases.continued(owner.scope, [claimed.run.caseId])).toMatchObject(new Map([[claimed.run.caseId, other]]))
  },
  async timeline({ store, stranger, owner, claimed }) {
    expect(await wholeTimeline(store, stranger.scope, claimed.run.case)).toEqual([])
    expect(await wholeTimeline(store, owner.scope, claimed.run.case)).toHaveLength(1)
  },
  async entries({ store, stranger, owner, claimed }) {
    const keys = [`${claimed.run.id}#opened`]
    expect(await store.cases.entries(stranger.scope, claimed.run.case, keys)).toEqual([])
    expect(await store.cases.entries(owner.scope, claimed.run.case, keys)).toHaveLength(1)
  },
  async mentions({ store, stranger, owner, claimed }) {
    const ada = asId<PrincipalId>('ada')
    const comment = { ...noteOf('hey'), body: { kind: 'comment', text: '@Ada', mentions: [{ principal: ada, name: 'Ada' }] } } as const
    await store.cases.record(owner.scope, claimed.run.case, null, comment)
    expect(await store.cases.mentions(stranger.scope, ada, { after: null, limit: 9 })).toEqual(nothing)
    expect((await store.cases.mentions(owner.scope, ada, { after: null, limit: 9 })).items).toMatchObject([{ key: 'hey' }])
  },
  async record({ store, stranger, claimed }) {
    const before = await store.cases.get(everyone, claimed.run.case)
    for (const change of [null, { title: 'mine now' }])
      expect(await store.cases.record(stranger.scope, claimed.run.case, change, noteOf('stranger'))).toBeNull()
    expect(await store.cases.get(everyone, claimed.run.case)).toEqual(before)
    expect(await wholeTimeline(store, everyone, claimed.run.case)).toHaveLength(1)
  },
}
