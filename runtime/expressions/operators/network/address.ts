import ipaddr from 'ipaddr.js'
import type { Json } from '../../../domain/index.ts'
import { type TextFormatName, textFormatNames } from '../../../formats/index.ts'
import { describe } from '../../typing/model/index.ts'
import { textOf } from '../../values.ts'
import { Meter, type Work } from '../../work.ts'
import { type Argument, textsOf } from '../call.ts'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The work of reading and comparing an address. */
const ofAddress: Work = 300
/** The most characters of an address, with white space around it. */
export const longestAddress = 100

/** Reads an address. An IPv4 address in IPv6 notation (`::ffff:10.0.0.1`) is that IPv4 address. Refuses octal, hexadecimal and shortened forms. */
export function addressOf(meter: Meter, value: Json | undefined): Address {
  const given = textOf(value)
  meter.charge(ofAddress)
  if (given.length > longestAddress) throw new Error(`needs an IP address, not \`${given.slice(0, 60)}\``)
  const text = given.trim()
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!ipaddr.IPv6.isValid(text)) throw new Error(`needs an IP address, not \`${text.slice(0, 60)}\``)
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

const addressFormats: readonly TextFormatName[] = ['ip', 'ipv4', 'ipv6']

/** Returns whether every text of this format is an address. */
export function isAddressFormat(format: string | null | undefined): boolean {
  return (addressFormats as readonly (string | null | undefined)[]).includes(format)
}

/** Formats of texts that are never addresses. A host name may be one. */
const otherFormats = new Set<string>(textFormatNames.filter((name) => name !== 'hostname' && !isAddressFormat(name)))

/** Why evaluating this fails. Null if it does not fail. */
export function refusalOf(evaluate: (meter: Meter) => unknown): string | null {
  try {
    evaluate(new Meter())
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Why an argument is certainly not an address. Null if it may be one. */
export function notAnAddress(argument: Argument | undefined): string | null {
  const texts = textsOf(argument)
  const reasons = texts?.map((value) => refusalOf((meter) => addressOf(meter, value))) ?? []
  if (reasons.length > 0) return reasons.includes(null) ? null : (reasons[0] ?? null)
  return argument !== undefined && otherFormats.has(argument.type.text?.format ?? '') ? `needs an IP address, not ${describe(argument.type)}` : null
}
