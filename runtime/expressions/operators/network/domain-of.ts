import type { Json } from '../../../domain/index.ts'
import { text } from '../../typing/model/index.ts'
import { textOf } from '../../values.ts'
import type { Meter } from '../../work.ts'
import { need } from '../call.ts'
import type { ValueOperator } from '../definition.ts'

/**
 * Returns the host of an e-mail address (also `Ada <ada@example.com>`), of a URL, or of a host name itself.
 * In lower case, without a port and a final dot.
 */
function hostOf(meter: Meter, value: Json | undefined): string {
  const given = textOf(value)
  meter.charge(50 + given.length)
  const trimmed = given.trim()
  // Browsers read a backslash in a URL as a slash, so `https://evil.example\@good.example` leads to evil.example.
  const authority = /^[a-z][a-z0-9+.-]*:[/\\]{2}([^/\\?#]*)/i.exec(trimmed)?.[1]
  const mail = trimmed.includes('@') ? (/@([^@\s<>]+)>?$/.exec(trimmed)?.[1] ?? '') : undefined
  const named = authority === undefined ? (mail ?? trimmed) : authority.slice(authority.lastIndexOf('@') + 1)
  const host = named
    .replace(/^(\[[^\]]*\]|[^:]*):\d{0,5}$/, '$1')
    .toLowerCase()
    .replace(/\.$/, '')
  // A scheme without slashes, such as `javascript:`, leaves one colon. An IPv6 address has at least two.
  if (host === '' || /[\s/\\@<>]|^[^:]*:[^:]*$/.test(host))
    throw new Error(`needs an e-mail address, a URL or a host name, not \`${trimmed.slice(0, 60)}\``)
  return host
}

export const domainOf: ValueOperator = {
  name: 'domain_of',
  text: 'the host of an e-mail address, URL or host name',
  example: { domain_of: { var: 'vars.user' } },
  from: 'tocsin',
  takes: [1, 1],
  evaluate: (meter, value) => hostOf(meter, value),
  types(call) {
    need(call, 0, ['text'], 'an e-mail address, a URL or a host name')
    return text
  },
}
