import { type Filter, MaxKey, MinKey } from 'mongodb'
import type { OrganizationId, PrincipalId, Scope, TimelineEntry } from '../../../domain/index.ts'
import type { CaseMention, Page } from '../../port/index.ts'
import { insertEach } from '../client/index.ts'
import { type Collections, pageOf, within } from '../database/index.ts'
import type { MentionDocument } from './mention-documents.ts'

/**
 * Stores whom a comment mentions. Must be called before the comment is written, or a crash could lose a mention. After
 * a crash, a mention without its comment may remain. Readers skip it.
 */
export async function addMentions(
  { mentions }: Collections,
  uuid: MentionDocument['_id']['case'],
  organization: OrganizationId,
  { key, at, body }: TimelineEntry,
): Promise<void> {
  if (body.kind !== 'comment' || !body.mentions?.length) return
  const documents = body.mentions.map(({ principal }): MentionDocument => ({ _id: { principal, at, case: uuid, key }, organization }))
  const fault = (await insertEach(mentions, documents)).find((inserted) => inserted instanceof Error)
  if (fault) throw fault
}

export async function listMentions(
  { mentions }: Collections,
  scope: Scope,
  principal: PrincipalId,
  { after, limit }: { readonly after: CaseMention | null; readonly limit: number },
): Promise<Page<CaseMention>> {
  const last = after ? { principal, at: after.at, case: after.case, key: after.key } : { principal, at: new MaxKey() }
  const found = await mentions
    .find({ _id: { $gte: { principal, at: new MinKey() }, $lt: last }, ...within(scope) } as unknown as Filter<MentionDocument>, {
      sort: { _id: -1 },
      limit: limit + 1,
    })
    .toArray()
  return pageOf(
    found.map(({ _id: { at, case: about, key } }) => ({ at, case: about, key })),
    limit,
  )
}
