import type { Json } from '../../domain/index.ts'
import type { Plugin } from '../types.ts'

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
  /** The version of the vendor's API that the skill uses, if there are several. */
  readonly api: string | null
  readonly warnings: readonly string[]
  /** JSON Schemas. */
  readonly input: Json
  readonly output: Json
  /** An example of an input. */
  readonly example: Json
}

/** Returns what GET /platformapi/integrations shows of a plugin: plain JSON, without secrets or templates. */
export function catalogueOf(plugin: Plugin): { readonly integration: CatalogueIntegration; readonly skills: readonly CatalogueSkill[] } {
  const { id, name, version, categories, vendor, credentials, roles, setup } = plugin.manifest.document
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
      })),
      roles: roles ?? [],
      setup: { steps: setup?.steps ?? [], scopes: setup?.scopes ?? [], limits: setup?.limits ?? [] },
    },
    skills: [...plugin.skills.values()].map(({ document }) => ({
      id: `${id}.${document.id}`,
      title: document.title,
      purpose: document.purpose,
      category: document.category,
      impact: document.impact,
      minimumRole: document.minimum_role ?? null,
      api: document.api ?? null,
      warnings: document.warnings ?? [],
      input: document.input,
      output: document.output,
      example: document.examples?.[0]?.input ?? null,
    })),
  }
}
