import { asId, type Case, type CaseChange, type CaseUuid, type Scope, type TimelineBody, type TimelineEntry } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import type { Caller } from '../../auth/index.ts'
import type { ApiContext } from '../../context.ts'
import { isUuid } from '../../request/index.ts'

/** The path of every operation on one case. */
export const id = Type.Object({ id: Type.String({ description: 'The case_id or the case_uuid.' }) })
export const noQuery = Type.Object({})

/** @throws TocsinError `case_unknown`, also for a case outside the caller's scope */
export async function caseOf(store: Store, scope: Scope, asked: string): Promise<Case> {
  const byUuid = isUuid(asked) ? await store.cases.get(scope, asId<CaseUuid>(asked.toLowerCase())) : null
  return byUuid ?? (await store.cases.byCaseId(scope, asked)) ?? unknownCase()
}

function unknownCase(): never {
  throw new TocsinError('case_unknown', 'No case that this key may see has this case_id or case_uuid.')
}

/** Returns a timeline entry that the caller writes now. */
export function entryOf({ services: { ids, clock } }: ApiContext, caller: Caller, body: TimelineBody): TimelineEntry {
  return { key: ids.uuid(), at: clock.now(), actor: { principal: caller.principal.id }, body }
}

/**
 * Writes an entry, and the change that comes with it. Returns the case after that.
 * @throws TocsinError `case_unknown`
 */
export async function record(
  { services: { store } }: ApiContext,
  caller: Caller,
  uuid: CaseUuid,
  entry: TimelineEntry,
  change: CaseChange | null = null,
): Promise<Case> {
  return (await store.cases.record(caller.scope, uuid, change, entry)) ?? unknownCase()
}
