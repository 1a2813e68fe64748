import type { ApiKey, KeyId, Principal, PrincipalId } from '../../../domain/index.ts'

export interface PrincipalDocument extends Omit<Principal, 'id'> {
  readonly _id: PrincipalId
}

/** An API key. Only its hash is stored. */
export interface KeyDocument extends Omit<ApiKey, 'id'> {
  readonly _id: KeyId
}
