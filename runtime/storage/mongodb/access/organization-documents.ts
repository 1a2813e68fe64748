import type { Organization, OrganizationId } from '../../../domain/index.ts'

export interface OrganizationDocument extends Omit<Organization, 'id'> {
  readonly _id: OrganizationId
  /** The code in lower case. Unique. */
  readonly folded: string
}
