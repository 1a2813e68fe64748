/**
 * Formats of texts (`format: ip`). There is one set of names and one check for each, for the inputs of
 * playbooks and the schemas of skills and scripts. The other functions read and write addresses.
 */
export { hostPort } from './host-port.ts'
export { networkOf } from './network-of.ts'
export { fitsFormat, type TextFormatName, textFormatNames, textFormats } from './text-formats.ts'
