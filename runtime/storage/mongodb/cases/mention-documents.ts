import type { CaseUuid, Millis, OrganizationId, PrincipalId } from '../../../domain/index.ts'

/** A comment that mentions a principal. */
export interface MentionDocument {
  readonly _id: { readonly principal: PrincipalId; readonly at: Millis; readonly case: CaseUuid; readonly key: string }
  readonly organization: OrganizationId
}
