import type { AgentStatus } from '../hub/identity.ts'
import type { Notice } from './directory.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.length <= 1_000
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isTruth: Check = (value) => typeof value === 'boolean'
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

function fits(value: unknown, shape: Readonly<Record<string, Check>>): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(shape).every(([name, check]) => Object.hasOwn(value, name) && check((value as Fields)[name]))
}

const identity = { id: isText, name: isText, organization: orNull(isText) }
const status: Readonly<Record<keyof AgentStatus, Check>> = {
  version: isText,
  since: isNumber,
  address: isText,
  draining: isTruth,
  streams: isNumber,
  opened: isNumber,
  sent: isNumber,
  received: isNumber,
  roundTrip: orNull(isNumber),
  lastError: orNull((value) => fits(value, { at: isNumber, message: isText })),
}
const presence = { agent: (value: unknown) => fits(value, identity), status: (value: unknown) => fits(value, status) }

/** Returns whether it is a scheme, a host and a port, and nothing else. */
function isAddress(value: unknown): boolean {
  const url = typeof value === 'string' && value.length <= 300 ? URL.parse(value) : null
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.href === `${url.origin}/`
}

/**
 * Reads what a process has told in Redis. Others than the processes of Tocsin may be able to write there.
 * @returns null if it is no such thing
 */
export function readNotice(text: string): Notice | null {
  try {
    const read: unknown = JSON.parse(text)
    const agents: Check = (value) => Array.isArray(value) && value.every((one) => fits(one, presence))
    return fits(read, { address: isAddress, agents }) ? (read as unknown as Notice) : null
  } catch {
    return null
  }
}
