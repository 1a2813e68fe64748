/**
 * How short texts are written. Formats (`format: ip`) have one set of names and one check for each, for the inputs of
 * playbooks and the schemas of skills and scripts. The other functions read and write addresses, times, durations, sizes and keys.
 */
export { type AddressRange, readAllowList } from './allow-list.ts'
export { hostPort } from './host-port.ts'
export { httpsOrigin } from './https-origin.ts'
export { isoTime } from './iso-time.ts'
export { networkOf } from './network-of.ts'
export { fitsFormat, type TextFormatName, textFormatNames, textFormats } from './text-formats.ts'
export * from './units.ts'
export { parseVaultKey, vaultKeyBytes } from './vault-key.ts'
