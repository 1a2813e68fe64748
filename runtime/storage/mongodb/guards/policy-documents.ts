import type { OrganizationId, OrganizationPolicy } from '../../../domain/index.ts'

/**
 * One document for each revision of a policy. The highest revision is in force. The unique `_id` makes a
 * change a compare-and-set. The policy itself is JSON, because skill names have dots, which MongoDB keys
 * should not have.
 */
export interface PolicyDocument extends Omit<OrganizationPolicy, 'policy'> {
  readonly _id: { readonly organization: OrganizationId; readonly revision: number }
  readonly policy: string
}
