import { boolean } from '../../typing/model/index.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'
import { addressOf, notAnAddress } from './address.ts'

/** Ranges of ipaddr.js that machines use, but not on the public internet. */
const privateRanges = new Set(['private', 'uniqueLocal', 'loopback', 'linkLocal', 'carrierGradeNat'])

export const isPrivateIp: ValueOperator = {
  name: 'is_private_ip',
  text: 'whether the address is private, local to its link or machine, or of carrier-grade NAT',
  example: { is_private_ip: { var: 'vars.ip' } },
  from: 'tocsin',
  takes: [1, 1],
  ofItself: null,
  evaluate: (meter, address) => privateRanges.has(addressOf(meter, address).range()),
  types(call) {
    const bad = need(call, 0, ['text'], 'an IP address') ? notAnAddress(call.args[0]) : null
    if (bad !== null) call.tell('operand_type', call.args[0]?.at ?? call.at, `\`is_private_ip\` ${bad}`)
    return boolean
  },
}
