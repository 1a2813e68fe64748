import { type Static, Type } from '../../schema/index.ts'
import { closed, name, text, words } from './shared.ts'

const credentialTypes = ['string', 'origin', 'url', 'base64', 'uuid', 'integer', 'boolean', 'enum'] as const

const pattern = Type.String({ minLength: 1, description: 'RE2' })

/**
 * Checked when a connection is saved: one pattern that the value must contain or must not contain,
 * and a message.
 */
const rule = Type.Object(
  { matching: Type.Optional(pattern), not_matching: Type.Optional(pattern), message: text },
  { additionalProperties: false, minProperties: 2, maxProperties: 2, 'x-fault': 'needs `message` and one of `matching`, `not_matching`' },
)

const scalar = Type.Union([Type.String(), Type.Integer(), Type.Boolean()])

/** One field of the connection form. */
export const credential = closed({
  name,
  label: text,
  type: words(credentialTypes),
  secret: Type.Optional(Type.Boolean({ description: 'Write-only: templates, handlers, logs and the API can never read it.' })),
  required: Type.Optional(Type.Boolean()),
  advanced: Type.Optional(Type.Boolean({ description: 'Hidden under "advanced" in the form.' })),
  default: Type.Optional(scalar),
  values: Type.Optional(Type.Array(text, { minItems: 1, uniqueItems: true, description: 'The values of an enum.' })),
  rules: Type.Optional(Type.Array(rule)),
  help: Type.Optional(text),
})
export type CredentialField = Static<typeof credential>
