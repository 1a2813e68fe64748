import { isDeepStrictEqual } from 'node:util'
import type { Collection, Document } from 'mongodb'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { blocksOf, writeBlocks } from '../../runtime/storage/mongodb/alerts/alert-words.ts'
import { Sealing } from '../../runtime/storage/mongodb/alerts/index.ts'
import { StateWriter } from '../../runtime/storage/mongodb/alerts/states/index.ts'
import { CaseSealing } from '../../runtime/storage/mongodb/cases/index.ts'
import { connect } from '../../runtime/storage/mongodb/client/connect.ts'
import { type Collections, collectionsOf, WorkReport } from '../../runtime/storage/mongodb/database/index.ts'
import { type Copy, copiesOf, type Kind, namesOf, type Original, type Plan } from './copies.ts'
import type { Filled } from './embedded.ts'
import { Template } from './template.ts'

type Copied = keyof Collections & ('alerts' | 'runs' | 'journal' | 'outputs' | 'decisions' | 'cases' | 'timeline')

/** Where the documents of an alert are. Those of its run have the alert's id in their own. */
const selections: Readonly<Record<Copied, (original: Original) => Document>> = {
  alerts: ({ alertUuid }) => ({ _id: alertUuid }),
  runs: ({ alertUuid }) => ({ alert: alertUuid }),
  journal: ({ alertUuid }) => ({ '_id.run': ofRun(alertUuid) }),
  outputs: ({ alertUuid }) => ({ '_id.run': ofRun(alertUuid) }),
  decisions: ({ alertUuid }) => ({ run: ofRun(alertUuid) }),
  cases: ({ caseUuid }) => ({ _id: caseUuid }),
  timeline: ({ caseUuid }) => ({ '_id.case': caseUuid }),
}
const ofRun = (alert: string): Document => ({ $regex: `^${alert}-r` })
const copied = Object.keys(selections) as Copied[]

/** Fields that a document has only while work is left for another write. A copy with them would cause that work again, and disturb the measurement. */
const marksOfWork = ['unsettled', 'untold', 'told', 'openedTold', 'closedTold', 'waitingSince', 'unnumberedSince']

async function templatesOf(collections: Collections, original: Original): Promise<ReadonlyMap<Copied, readonly Template[]>> {
  const templates = new Map<Copied, readonly Template[]>()
  for (const name of copied) {
    const found = await (collections[name] as unknown as Collection).find(selections[name](original)).toArray()
    const texts = found.map((document) => {
      const [text, left] = [JSON.stringify(document), marksOfWork.filter((mark) => mark in document)]
      if (!isDeepStrictEqual(JSON.parse(text), document)) throw new Error(`A document of ${name} has a value that JSON does not have: ${text}`)
      if (left.length > 0) throw new Error(`A document of ${name} still has ${left.join(' and ')}: ${text}`)
      return new Template(text, namesOf(original))
    })
    templates.set(name, texts)
  }
  return templates
}

/** The number of copies that are inserted at once. */
const copiesAtOnce = 1_024
/** After so many copies, the segments of words that are due are built. */
const copiesBetweenSegments = 8 * copiesAtOnce

/**
 * Fills the database of a Tocsin that does not run, as `fillEmbedded` does. Copies documents straight into the collections. Leaves `written` of
 * timeline entries as it is: it only orders those of one case that have the same time.
 * @param url names the database
 * @param plan without the numbers, which the store knows
 * @param tell receives the number of alerts that are done
 */
export async function fillMongo(
  url: string,
  originals: readonly Original[],
  plan: Omit<Plan, 'lastAlert' | 'lastCase'>,
  tell: (alerts: number) => void,
): Promise<Filled> {
  const { client, database } = await connect(url, null)
  try {
    // Nobody is told that a copy is stored, so none has to be on the disk before the next.
    const collections = collectionsOf(client.db(database.databaseName, { writeConcern: { w: 1 } }))
    const lastOf = async (counter: string): Promise<number> => (await collections.counters.findOne({ _id: counter }))?.last ?? 0
    const [lastAlert, lastCase] = [await lastOf('alert BENCH-BENCH'), await lastOf('case BENCH')]
    const templates = new Map<Kind, ReadonlyMap<Copied, readonly Template[]>>()
    for (const original of originals) templates.set(original.kind, await templatesOf(collections, original))
    const documentsOf = ({ kind, names, later, alertNumber, caseNumber }: Copy, name: Copied): Document[] => {
      const own = name === 'alerts' ? { sequence: alertNumber } : name === 'cases' ? { number: caseNumber } : {}
      const made = templates.get(kind)?.get(name) ?? []
      return made.map((template) => ({ ...(JSON.parse(template.copy(names, later)) as Document), ...own }))
    }
    const report = new WorkReport(({ message }) => console.error(message), { fails: 'A segment of words failed.', succeeds: 'Segments succeed.' })
    const [sealing, states] = [new Sealing(collections, systemClock, systemIds, report), new StateWriter(collections, systemIds)]
    const ofCases = new CaseSealing(collections, systemClock, systemIds, report)
    const insert = async (name: Copied, documents: Document[]): Promise<number> => {
      if (documents.length > 0) await (collections[name] as unknown as Collection).insertMany(documents, { ordered: false })
      return documents.length
    }
    const copies = copiesOf(originals, { ...plan, lastAlert, lastCase })
    let [done, journalEntries] = [0, 0]
    while (done < plan.alerts) {
      const part = Array.from({ length: Math.min(copiesAtOnce, plan.alerts - done) }, () => copies.next().value as Copy)
      done += part.length
      const alerts = part.flatMap((copy) => documentsOf(copy, 'alerts'))
      const blocks = blocksOf(
        alerts.map((document) => ({ document, createdAt: document['createdAt'], tokens: String(document['words']).split(' ').filter(Boolean) })),
        () => systemIds.uuid(),
      )
      await writeBlocks(
        collections.alertWords,
        blocks.map(({ block }) => block),
      )
      const inserted = await Promise.all([
        insert(
          'alerts',
          blocks.flatMap(({ block, members }) => members.map(({ document }) => ({ ...document, block: block._id }))),
        ),
        ...copied.slice(1).map(async (name) => {
          const documents = part.flatMap((copy) => documentsOf(copy, name))
          return insert(name, documents)
        }),
      ])
      journalEntries += inserted[copied.indexOf('journal')] ?? 0
      await collections.counters.updateOne({ _id: 'alert BENCH-BENCH' }, { $max: { last: lastAlert + done } })
      await collections.counters.updateOne({ _id: 'case BENCH' }, { $max: { last: lastCase + done } })
      if (done % copiesBetweenSegments === 0 || done === plan.alerts) {
        while (await sealing.seal((settled) => settled));
        while (await ofCases.sealNew());
      }
      tell(done)
    }
    while (await states.write());
    return { alerts: done, journalEntries }
  } finally {
    await client.close()
  }
}

/** Drops the database that the URL names. */
export async function dropMongo(url: string): Promise<void> {
  const { client, database } = await connect(url, null)
  await database.dropDatabase()
  await client.close()
}
