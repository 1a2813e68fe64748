import { operators } from '../../operators/index.ts'
import { Meter } from '../../work.ts'
import { boolean, describe, has, type Type, text } from '../model/index.ts'
import { type Argument, need, type OperatorCall, type OperatorType } from './call.ts'
import { textsOf } from './texts.ts'

/** Whether the operator itself refuses these values. */
function refuses(name: string, ...values: readonly string[]): string | null {
  try {
    operators[name]?.apply(new Meter(), ...values)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Formats of texts that are no addresses. */
const noAddresses = new Set(['email', 'domain', 'cidr-range', 'uri', 'uuid', 'date-time', 'date'])
const addresses = new Set(['ip', 'ipv4', 'ipv6'])

function badAddress(argument: Argument | undefined): string | null {
  const texts = textsOf(argument)
  const reasons = texts?.map((value) => refuses('is_private_ip', value)) ?? []
  if (reasons.length > 0) return reasons.includes(null) ? null : (reasons[0] ?? null)
  return argument !== undefined && noAddresses.has(argument.type.text?.format ?? '') ? `needs an IP address, not ${describe(argument.type)}` : null
}

function badNetwork(value: string): string | null {
  // Any address will do to have the network read.
  return refuses('cidr_contains', value, value.includes(':') ? '::1' : '127.0.0.1')
}

function contains(call: OperatorCall): Type {
  const [networks, address] = call.args
  if (networks === undefined || address === undefined) return boolean
  const network = (value: string): boolean => value.includes('/')
  const first = textsOf(networks)
  const second = textsOf(address)
  const swapped =
    (has(address.type, 'list') && !has(address.type, 'text')) ||
    (second?.every(network) === true && first?.every(network) !== true && !has(networks.type, 'list')) ||
    (second?.every(network) === true && addresses.has(networks.type.text?.format ?? ''))
  if (swapped) {
    call.tell('operand_type', call.at, '`cidr_contains` takes the network (or a list of them) first and then the address; these are swapped')
    return boolean
  }
  const fit = [need(call, 0, ['text', 'list'], 'a network or a list of networks'), need(call, 1, ['text'], 'an IP address')]
  if (fit.includes(false)) return boolean
  const written = Array.isArray(networks.written) ? (networks.written as readonly unknown[]) : [networks.written]
  for (const [index, value] of written.entries()) {
    const bad = typeof value === 'string' ? badNetwork(value) : null
    if (bad !== null) call.tell('operand_type', Array.isArray(networks.written) ? [...networks.at, index] : networks.at, `\`cidr_contains\` ${bad}`)
  }
  if (addresses.has(networks.type.text?.format ?? '') && networks.type.list === null)
    call.tell('operand_type', networks.at, '`cidr_contains` takes the network (or a list of them) first and then the address')
  const bad = badAddress(address)
  if (bad !== null) call.tell('operand_type', address.at, `\`cidr_contains\` ${bad}`)
  return boolean
}

export const networkOperators: Readonly<Record<string, OperatorType>> = {
  cidr_contains: contains,
  is_private_ip: (call) => {
    const bad = need(call, 0, ['text'], 'an IP address') ? badAddress(call.args[0]) : null
    if (bad !== null) call.tell('operand_type', call.args[0]?.at ?? call.at, `\`is_private_ip\` ${bad}`)
    return boolean
  },
  domain_of: (call) => {
    need(call, 0, ['text'], 'an e-mail address, a URL or a host name')
    return text
  },
}
