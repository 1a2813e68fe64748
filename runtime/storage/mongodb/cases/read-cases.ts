import type { Collection, Document } from 'mongodb'
import type { CaseUuid } from '../../../domain/index.ts'
import type { CaseDocument } from './case-documents.ts'

/** Reads these cases, in this order. Leaves out those that are gone. */
export async function readCases<Read extends { readonly _id: CaseUuid } = CaseDocument>(
  cases: Collection<CaseDocument>,
  uuids: readonly CaseUuid[],
  projection: Document,
): Promise<readonly Read[]> {
  const found = await cases.find<Read>({ _id: { $in: [...uuids] } }, { projection }).toArray()
  const byUuid = new Map(found.map((one) => [one._id, one]))
  return uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
}
