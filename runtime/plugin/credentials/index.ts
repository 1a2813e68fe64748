/**
 * The credential fields of a manifest. `check-credentials.ts` checks what people type, `paste.ts`
 * reads what they paste, and `origin-fields.ts` finds the fields that decide where requests go. No
 * secret is stored or decrypted here: `runtime/connection/` does that.
 */
export { checkCredentials } from './check-credentials.ts'
export { originFields } from './origin-fields.ts'
export { readPaste } from './paste.ts'
