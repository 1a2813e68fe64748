import type { Document } from 'yaml'
import { yaml } from '../../packages/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { Remark } from './remarks.ts'

/** A file of a new plugin. `path` is below the plugin's folder. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

const lineWidth = 110

function textOf(schema: string, content: object, remarks: readonly Remark[] = []): string {
  const document = new (yaml().Document)(content, { aliasDuplicateObjects: false })
  for (const { before, text } of remarks) remark(document, before, text)
  return `# yaml-language-server: $schema=${schema}\n${document.toString({ lineWidth })}`
}

function remark(document: Document, before: readonly string[], text: string): void {
  const holder = document.getIn(before.slice(0, -1), true)
  const { isMap, isScalar } = yaml()
  const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === before.at(-1)) : undefined
  if (pair && isScalar(pair.key)) pair.key.commentBefore = inLines(text)
}

/** Returns a comment as YAML writes it: each line begins with a space. */
function inLines(text: string): string {
  return text.replace(/(.{1,90})(?: |$)/g, ' $1\n').trimEnd()
}

/** Returns `manifest.yaml`. The schema is the one of a plugin in `plugins/`. */
export function manifestFile(manifest: ManifestDocument): NewFile {
  return { path: 'manifest.yaml', text: textOf('../../schemas/manifest.schema.json', manifest) }
}

/** Returns `skills/<id>.yaml`. */
export function skillFile(skill: SkillDocument, remarks: readonly Remark[] = []): NewFile {
  return { path: `skills/${skill.id}.yaml`, text: textOf('../../../schemas/skill.schema.json', skill, remarks) }
}
