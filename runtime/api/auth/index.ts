/**
 * Who calls, and what they may do: reads the API key of a request, finds its principal, locks out whoever guesses keys,
 * and guards each operation by its permission.
 */
export { Gatekeeper } from './gatekeeper.ts'
export { type Caller, callerOf, type Guard, type GuardFactory, guardFactory, requireAllOrganizations } from './guard.ts'
export { hashKey, newKeyValue } from './key.ts'
export { ownerOf } from './owner.ts'
export { presentedKey, sessionCookieName } from './presented.ts'
export { KeyVerifier } from './verifier.ts'
export { WrongKeys } from './wrong-keys.ts'
