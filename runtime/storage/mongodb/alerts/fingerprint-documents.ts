import type { AlertUuid, Millis, OrganizationId } from '../../../domain/index.ts'

/** The window of a fingerprint, and its first alert. The unique `_id` decides which of several simultaneous alerts is the first. */
export interface FingerprintDocument {
  readonly _id: { readonly organization: OrganizationId; readonly type: string; readonly digest: string }
  readonly organization: OrganizationId
  readonly alert: AlertUuid
  readonly createdAt: Millis
  readonly closesAt: Millis
}
