import type { OrganizationId } from '../../../domain/index.ts'

/**
 * The calls of one skill of one organization. One document, so that counting and adding are one step. Dates
 * are server time.
 */
export interface QuotaDocument {
  readonly _id: { readonly organization: OrganizationId | null; readonly skill: string }
  readonly calls: readonly { readonly key: string; readonly at: Date }[]
  /** The latest answer to a caller that asked to count a call. */
  readonly answer: { readonly counted: boolean; readonly calls: number; readonly since: Date | null }
  /** From this time on, no quota counts any of these calls, and the server removes the document. */
  readonly lapsesAt: Date
}
