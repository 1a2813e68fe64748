import type { Json, Millis } from '../../domain/index.ts'
import { timeoutOf } from '../call/index.ts'
import { originFields } from '../credentials/index.ts'
import type { SkillDocument } from '../grammar/index.ts'
import type { Plugin, RateLimit, Skill } from '../types.ts'

/** A credential field in the connection form. Never a value. */
interface CatalogueCredential {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly secret: boolean
  readonly advanced: boolean
  readonly help: string | null
  readonly default: string | number | boolean | null
  readonly values: readonly string[]
  /** What the rules of the field refuse, in words. */
  readonly rules: readonly string[]
  /** The key in the vendor's file that fills it. Null if no file does. */
  readonly pasteKey: string | null
  /** Whether it decides where requests go. If it changes, all secrets must be sent again. */
  readonly decidesAddress: boolean
}

/** What a person sees of an integration before there is a connection. */
export interface CatalogueIntegration {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly categories: readonly string[]
  readonly vendor: { readonly name: string; readonly api: string | null; readonly docs: string | null }
  /** The fields of the connection form, in order. */
  readonly credentials: readonly CatalogueCredential[]
  readonly roles: readonly (readonly string[])[]
  readonly setup: { readonly steps: readonly string[]; readonly scopes: readonly string[]; readonly limits: readonly string[] }
  /** The limit that Tocsin keeps for each connection. Null: the vendor publishes none. */
  readonly rateLimit: RateLimit | null
  /** Whether a test can ask the system for the role of the credentials. */
  readonly tellsRole: boolean
  /** How many skills it has, by impact. */
  readonly skills: Readonly<Record<'read' | 'write' | 'high', number>>
}

/** A line of the Skills tab (specification 1, point 6). */
export interface CatalogueSkill {
  /** `<integration>.<skill>` */
  readonly id: string
  readonly title: string
  readonly purpose: string
  readonly category: string
  readonly impact: 'read' | 'write' | 'high'
  readonly minimumRole: string | null
  /** What the credentials need for it, in the vendor's words. */
  readonly requires: string | null
  /** The version of the vendor's API that the skill uses, if there are several. */
  readonly api: string | null
  readonly warnings: readonly string[]
  /** JSON Schemas. */
  readonly input: Json
  readonly output: Json
  /** An example of an input. */
  readonly example: Json
  /** A recorded output for the example. Null: none was recorded. */
  readonly exampleOutput: Json
  /** Whether code decides which requests it sends. Then its requests are not known before the call. */
  readonly code: boolean
  /** The time-out of the whole call, in milliseconds. */
  readonly timeout: Millis
  /** The skill that undoes it. Null if there is none. `conditional`: only some calls can be undone. */
  readonly undo: { readonly skill: string; readonly conditional: boolean } | null
  /** What a run does if the answer of a write is lost. Null if the skill only reads. */
  readonly repeat: 'state' | 'key' | 'verify' | 'ask' | null
}

/** Returns what GET /platformapi/integrations shows of a plugin: plain JSON, without secrets or templates. */
export function catalogueOf(plugin: Plugin): { readonly integration: CatalogueIntegration; readonly skills: readonly CatalogueSkill[] } {
  const { id, name, version, categories, vendor, credentials, roles, setup, paste = [], role_from: roleFrom } = plugin.manifest.document
  const decisive = originFields(plugin)
  const skills = [...plugin.skills.values()]
  const count = (impact: Skill['impact']): number => skills.filter((skill) => skill.impact === impact).length
  return {
    integration: {
      id,
      name,
      version,
      categories,
      vendor: { name: vendor.name, api: vendor.api, docs: vendor.docs ?? null },
      credentials: credentials.map((field) => ({
        name: field.name,
        label: field.label,
        type: field.type,
        required: field.required ?? false,
        secret: field.secret ?? false,
        advanced: field.advanced ?? false,
        help: field.help ?? null,
        default: field.default ?? null,
        values: field.values ?? [],
        rules: (field.rules ?? []).map(({ message }) => message),
        pasteKey: paste.find(({ map }) => map[field.name] !== undefined)?.map[field.name] ?? null,
        decidesAddress: decisive.includes(field.name),
      })),
      roles: roles ?? [],
      setup: { steps: setup?.steps ?? [], scopes: setup?.scopes ?? [], limits: setup?.limits ?? [] },
      rateLimit: plugin.manifest.rateLimit,
      tellsRole: roleFrom !== undefined,
      skills: { read: count('read'), write: count('write'), high: count('high') },
    },
    skills: skills.map((skill) => skillOf(plugin, skill)),
  }
}

function skillOf(plugin: Plugin, skill: Skill): CatalogueSkill {
  const { document } = skill
  return {
    id: `${plugin.id}.${document.id}`,
    title: document.title,
    purpose: document.purpose,
    category: document.category,
    impact: document.impact,
    minimumRole: document.minimum_role ?? null,
    requires: document.requires ?? null,
    api: document.api ?? null,
    warnings: document.warnings ?? [],
    input: document.input,
    output: document.output,
    example: document.examples?.[0]?.input ?? null,
    exampleOutput: plugin.exampleOutputs.get(skill.id) ?? null,
    code: skill.does.kind === 'handler',
    timeout: timeoutOf(plugin, skill),
    undo: document.inverse ? { skill: document.inverse.skill, conditional: document.inverse.when !== undefined } : null,
    repeat: repeatOf(document),
  }
}

/** Says how a lost answer of a write is settled: sent again, asked at the system, or put to people. */
function repeatOf({ impact, idempotent, verify }: SkillDocument): CatalogueSkill['repeat'] {
  if (impact === 'read') return null
  const by = idempotent?.by ?? 'none'
  if (by !== 'none') return by
  return verify === undefined ? 'ask' : 'verify'
}
