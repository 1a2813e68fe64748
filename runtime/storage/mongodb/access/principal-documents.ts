import type { ApiKey, KeyId, Millis, Principal, PrincipalId } from '../../../domain/index.ts'

export interface PrincipalDocument extends Omit<Principal, 'id' | 'createdBy'> {
  readonly _id: PrincipalId
  /** Absent in documents of versions that did not keep it. */
  readonly createdBy?: PrincipalId | null
}

/** An API key. Only its hash is stored. Documents of older versions lack the times that are optional. */
export interface KeyDocument extends Omit<ApiKey, 'id' | 'expiresAt' | 'lastUsedAt'> {
  readonly _id: KeyId
  readonly expiresAt?: Millis | null
  readonly lastUsedAt?: Millis | null
}
