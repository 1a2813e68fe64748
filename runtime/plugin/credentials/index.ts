/**
 * The credential fields of a manifest. It checks what people type (`check-credentials.ts`), reads what they paste (`paste.ts`), and finds the
 * fields that decide where requests go (`origin-fields.ts`). No secret is stored or opened here: `runtime/connection/` does that.
 */
export { checkCredentials } from './check-credentials.ts'
export { originFields } from './origin-fields.ts'
export { readPaste } from './paste.ts'
