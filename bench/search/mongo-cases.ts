import { randomUUID } from 'node:crypto'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { asId } from '../../runtime/domain/index.ts'
import type { CaseDocument } from '../../runtime/storage/mongodb/cases/case-documents.ts'
import { CaseSealing } from '../../runtime/storage/mongodb/cases/index.ts'
import { connect } from '../../runtime/storage/mongodb/client/connect.ts'
import { collectionsOf, WorkReport } from '../../runtime/storage/mongodb/database/index.ts'
import { openMongoStore } from '../../runtime/storage/mongodb/index.ts'
import { type BenchCase, type FilledCases, stateOf } from './cases.ts'

const insertedAtOnce = 2_048

/** Writes the documents of cases straight into the collections of a new database, which it drops at the end. */
export async function mongoCases(url: string, cases: readonly BenchCase[]): Promise<FilledCases> {
  const name = `search-cases-${randomUUID()}`
  const store = await openMongoStore({ url, database: name, clock: systemClock, ids: systemIds })
  const { client, database } = await connect(url, name)
  const collections = collectionsOf(database)
  for (let from = 0; from < cases.length; from += insertedAtOnce)
    await collections.cases.insertMany(cases.slice(from, from + insertedAtOnce).map(documentOf), { writeConcern: { w: 1 } })
  const report = new WorkReport(({ message }) => console.error(message), { fails: 'A segment of cases failed.', succeeds: 'Segments succeed.' })
  const sealing = new CaseSealing(collections, systemClock, systemIds, report)
  return {
    store,
    async index() {
      while (await sealing.sealNew());
    },
    async close() {
      await store.close()
      await database.dropDatabase()
      await client.close()
    },
  }
}

function documentOf(one: BenchCase): CaseDocument {
  const { organization, number, caseId, title, summary, createdAt, modifiedAt } = one
  return {
    _id: asId(randomUUID()),
    organization: asId(organization),
    number,
    caseId,
    alert: asId(randomUUID()),
    alerts: [],
    title,
    severity: 'low',
    ...stateOf(one),
    assignee: null,
    summary,
    createdAt,
    modifiedAt,
    recent: [],
  }
}
