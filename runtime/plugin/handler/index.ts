/**
 * Skills and scripts that are code. `bundle.ts` makes one text from a handler and its imports.
 * `host.ts` runs it in an isolate (`runtime/plugin/isolate/`) and lets `service/` do what it asks
 * for. `script.ts` runs the scripts of playbooks.
 */
export { type Act, type ActResult, type Acts, passingActs } from './acts.ts'
export { type BundledScript, bundleScript, createScripts, type Scripts } from './script.ts'
