/**
 * The schemas of `manifest.yaml` and `skills/<id>.yaml`, with a description of every field. The
 * types of the files come from them.
 */
import { compileCheck } from '../../yaml/index.ts'
import { type ManifestDocument, manifest } from './manifest.ts'
import { type SkillDocument, skill } from './skill.ts'

export { type AuthDocument, type ClaimDocument, credentialsOfAuth } from './auth.ts'
export type { CredentialField } from './credentials.ts'
export type { ErrorRowDocument, ManifestDocument } from './manifest.ts'
export type { PaginationDocument } from './pagination.ts'
export type { HandlerDocument, ItemResultsDocument, RequestDocument, SkillDocument } from './skill.ts'

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' }

/** The JSON Schema of `manifest.yaml`. `npm run generate` writes it to schemas/manifest.schema.json. */
export const manifestSchema: object = { ...dialect, ...manifest }
/** The JSON Schema of `skills/<id>.yaml`. `npm run generate` writes it to schemas/skill.schema.json. */
export const skillSchema: object = { ...dialect, ...skill }

export const checkManifest = compileCheck<ManifestDocument>(manifestSchema)
export const checkSkill = compileCheck<SkillDocument>(skillSchema)
