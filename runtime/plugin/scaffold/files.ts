import { yaml } from '../../packages/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'

/** A file of a new plugin. `path` is below the plugin's folder. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

const lineWidth = 110

function textOf(schema: string, document: object): string {
  return `# yaml-language-server: $schema=${schema}\n${yaml().stringify(document, { lineWidth, aliasDuplicateObjects: false })}`
}

/** Returns `manifest.yaml`. The schema is the one of a plugin in `plugins/`. */
export function manifestFile(manifest: ManifestDocument): NewFile {
  return { path: 'manifest.yaml', text: textOf('../../schemas/manifest.schema.json', manifest) }
}

/** Returns `skills/<id>.yaml`. */
export function skillFile(skill: SkillDocument): NewFile {
  return { path: `skills/${skill.id}.yaml`, text: textOf('../../../schemas/skill.schema.json', skill) }
}
