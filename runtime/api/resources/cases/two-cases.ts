import type { Case, OtherCase, Scope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { caseOf } from './found.ts'

/* What links and merges share: they are about two cases of one organization. */

export const text = Type.Optional(Type.String({ format: 'text', minLength: 1, maxLength: 2_000, description: 'Why. Shown in both timelines.' }))
export const other = Type.String({ maxLength: 300, description: 'The case_id or the case_uuid of the other case, of the same organization.' })

/** @throws TocsinError `case_unknown`, `case_other_needed` */
export async function bothOf(store: Store, scope: Scope, one: string, another: string): Promise<readonly [Case, Case]> {
  const pair = await Promise.all([caseOf(store, scope, one), caseOf(store, scope, another)])
  if (pair[0].uuid === pair[1].uuid) throw new TocsinError('case_other_needed', `${pair[0].caseId} is the same case.`)
  if (pair[0].organization !== pair[1].organization)
    throw new TocsinError('case_other_needed', `${pair[0].caseId} and ${pair[1].caseId} belong to different organizations.`)
  return pair
}

/** What a timeline entry says about the other case. */
export function otherOf({ uuid, caseId }: OtherCase): OtherCase {
  return { uuid, caseId }
}
