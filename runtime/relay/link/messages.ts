import { largestText } from './limits.ts'

/** Why the runtime does not let an agent in. */
const refusalCodes = ['agent_unknown', 'agent_revoked', 'enrolment_refused', 'agents_exceeded', 'unavailable', 'malformed'] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** The first message of the runtime. */
interface Challenge {
  readonly type: 'challenge'
  /** 32 random bytes as base64url. */
  readonly nonce: string
}

/** The only message of the agent. */
export interface SignIn {
  readonly type: 'sign_in'
  /** The version of the agent. */
  readonly version: string
  /** The Ed25519 public key, 32 bytes as base64url. It names the agent. */
  readonly publicKey: string
  /** The signature over the challenge, 64 bytes as base64url. */
  readonly signature: string
  /** The enrolment token, from an agent that may not be enrolled yet. Null: none. */
  readonly token: string | null
}

/** The second message of the runtime. After a welcome, both ends send binary messages only. */
export interface Welcome {
  readonly type: 'welcome'
  readonly name: string
  /** The version of the runtime. */
  readonly version: string
}

export interface Refusal {
  readonly type: 'refused'
  readonly code: RefusalCode
  readonly message: string
}

export type Greeting = Challenge | Welcome | Refusal

export type Fields = Readonly<Record<string, unknown>>

/** Reads a JSON object of a few short fields. Null: it is something else. */
export function fieldsOf(json: string): Fields | null {
  if (json.length > largestText) return null
  try {
    const read: unknown = JSON.parse(json)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Fields) : null
  } catch {
    return null
  }
}

function text(fields: Fields, name: string, pattern: RegExp): string | null {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === 'string' && pattern.test(value) ? value : null
}

const key = /^[\w-]{43}$/
const signed = /^[\w-]{86}$/
const version = /^[\x21-\x7e]{1,64}$/
const token = /^[\x21-\x7e]{1,256}$/
const line = /^[^\p{Cc}]{0,1000}$/u

/** Reads the message of an agent. Fields that it does not know are ignored, so a newer agent may send more. Null: malformed. */
export function parseSignIn(data: Buffer): SignIn | null {
  const fields = fieldsOf(data.toString())
  if (fields?.['type'] !== 'sign_in') return null
  const found = {
    version: text(fields, 'version', version),
    publicKey: text(fields, 'public_key', key),
    signature: text(fields, 'signature', signed),
  }
  if (found.version === null || found.publicKey === null || found.signature === null) return null
  return { type: 'sign_in', version: found.version, publicKey: found.publicKey, signature: found.signature, token: text(fields, 'token', token) }
}

/** Writes the message of an agent. */
export function writeSignIn({ version: of, publicKey, signature, token: once }: SignIn): string {
  return JSON.stringify({ type: 'sign_in', version: of, public_key: publicKey, signature, ...(once !== null && { token: once }) })
}

/** Reads a message of the runtime. Null: malformed. */
export function parseGreeting(data: Buffer): Greeting | null {
  const fields = fieldsOf(data.toString())
  if (fields === null) return null
  switch (fields['type']) {
    case 'challenge': {
      const nonce = text(fields, 'nonce', key)
      return nonce === null ? null : { type: 'challenge', nonce }
    }
    case 'welcome': {
      const name = text(fields, 'name', line)
      const of = text(fields, 'version', version)
      return name === null || of === null ? null : { type: 'welcome', name, version: of }
    }
    case 'refused': {
      const code = refusalCodes.find((one) => one === fields['code'])
      return { type: 'refused', code: code ?? 'unavailable', message: text(fields, 'message', line) ?? '' }
    }
    default:
      return null
  }
}
