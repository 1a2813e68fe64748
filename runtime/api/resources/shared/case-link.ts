import type { CaseLink } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { Time, Uuid } from '../../schemas.ts'

export const CaseLinkSchema = Type.Object({
  case_id: Type.String(),
  case_uuid: Uuid,
  at: Time,
  by: Type.String({ description: 'The name of the person who did this.' }),
})

/** The case into which a case was merged. */
export const MergedIntoSchema = Type.Union([Type.Null(), CaseLinkSchema], { description: 'The case into which this one was merged.' })

/** Returns the other case of a link or merge, as the API shows it. */
export function caseLinkView({ uuid, caseId, at, by }: CaseLink): Static<typeof CaseLinkSchema> {
  return { case_id: caseId, case_uuid: uuid, at, by }
}
