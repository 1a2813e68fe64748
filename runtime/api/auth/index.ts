/**
 * Authentication and permissions: reads the API key of a request, finds its principal, locks out clients that guess keys, and
 * checks the permission for each operation.
 */
export { Gatekeeper } from './gatekeeper.ts'
export {
  type Caller,
  callerOf,
  type Guard,
  type GuardFactory,
  guardFactory,
  keyInPath,
  requireAllOrganizations,
  requirePermission,
} from './guard.ts'
export { hashKey, newKeyValue } from './key.ts'
export { ownerOf } from './owner.ts'
export { presentedKey, sessionCookieName } from './presented.ts'
export { KeyVerifier } from './verifier.ts'
export { WrongKeys } from './wrong-keys.ts'
