import type { ApiKey, KeyId, Millis, Principal, PrincipalId } from '../../../domain/index.ts'

export interface PrincipalDocument extends Omit<Principal, 'id'> {
  readonly _id: PrincipalId
}

/** An API key. Only its hash is stored. Documents of older versions lack the times that are optional. */
export interface KeyDocument extends Omit<ApiKey, 'id' | 'expiresAt' | 'lastUsedAt'> {
  readonly _id: KeyId
  readonly expiresAt?: Millis | null
  readonly lastUsedAt?: Millis | null
}
