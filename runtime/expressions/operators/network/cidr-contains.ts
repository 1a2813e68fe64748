import type { Json } from '../../../domain/index.ts'
import { boolean, has, type Type } from '../../typing/model/index.ts'
import { textOf } from '../../values.ts'
import { type Meter, WorkExceeded } from '../../work.ts'
import { need, type OperatorCall, textsOf } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { type Address, addressOf, isAddressFormat, longestAddress, notAnAddress, refusalOf } from './address.ts'

function contains(meter: Meter, network: string, address: Address): boolean {
  const [base, bits, more] = network.length > longestAddress ? [network] : network.trim().split('/')
  let prefix = bits === undefined || more !== undefined || !/^\d{1,3}$/.test(bits) ? -1 : Number(bits)
  let start: Address
  try {
    start = addressOf(meter, base ?? '')
  } catch (error) {
    if (error instanceof WorkExceeded) throw error
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  }
  // A network of IPv4 addresses in IPv6 notation: `::ffff:10.0.0.0/104` is 10.0.0.0/8.
  if (start.kind() === 'ipv4' && base?.includes(':')) prefix -= 96
  if (prefix < 0 || prefix > (start.kind() === 'ipv4' ? 32 : 128))
    throw new Error(`needs a network such as 10.0.0.0/8, not \`${network.slice(0, 60)}\``)
  return start.kind() === address.kind() && address.match(start as never, prefix)
}

function evaluate(meter: Meter, networks?: Json, address?: Json): boolean {
  const parsed = addressOf(meter, address)
  return (Array.isArray(networks) ? (networks as readonly Json[]) : [networks]).some((one) => contains(meter, textOf(one), parsed))
}

function notANetwork(value: string): string | null {
  // The network is only read together with an address. Any address of its family will do.
  return refusalOf((meter) => evaluate(meter, value, value.includes(':') ? '::1' : '127.0.0.1'))
}

function types(call: OperatorCall): Type {
  const [networks, address] = call.args
  if (networks === undefined || address === undefined) return boolean
  const network = (value: string): boolean => value.includes('/')
  const first = textsOf(networks)
  const second = textsOf(address)
  const swapped =
    (has(address.type, 'list') && !has(address.type, 'text')) ||
    (second?.every(network) === true && first?.every(network) !== true && !has(networks.type, 'list')) ||
    (second?.every(network) === true && isAddressFormat(networks.type.text?.format))
  if (swapped) {
    call.tell('operand_type', call.at, '`cidr_contains` takes the network (or a list of them) first and then the address; these are swapped')
    return boolean
  }
  const fit = [need(call, 0, ['text', 'list'], 'a network or a list of networks'), need(call, 1, ['text'], 'an IP address')]
  if (fit.includes(false)) return boolean
  const written = Array.isArray(networks.written) ? (networks.written as readonly unknown[]) : [networks.written]
  for (const [index, value] of written.entries()) {
    const bad = typeof value === 'string' ? notANetwork(value) : null
    if (bad !== null) call.tell('operand_type', Array.isArray(networks.written) ? [...networks.at, index] : networks.at, `\`cidr_contains\` ${bad}`)
  }
  if (isAddressFormat(networks.type.text?.format) && networks.type.list === null)
    call.tell('operand_type', networks.at, '`cidr_contains` takes the network (or a list of them) first and then the address')
  const bad = notAnAddress(address)
  if (bad !== null) call.tell('operand_type', address.at, `\`cidr_contains\` ${bad}`)
  return boolean
}

export const cidrContains: ValueOperator = {
  name: 'cidr_contains',
  text: 'whether a network, or one of a list of networks, contains an address',
  example: { cidr_contains: [['192.168.0.0/16', '10.0.0.0/8'], { var: 'vars.ip' }] },
  from: 'tocsin',
  takes: [2, 2],
  ofItself: null,
  evaluate,
  types,
}
