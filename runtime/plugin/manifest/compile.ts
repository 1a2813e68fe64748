import type { Json } from '../../domain/index.ts'
import { digestOf, type Locator } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { Plugin, Skill } from '../types.ts'
import { compileManifest, credentialNames } from './compile-manifest.ts'
import { compileSkill, filtersOf } from './compile-skill.ts'
import { FaultPlaces } from './fault-places.ts'
import type { Faults } from './faults.ts'

/** A document that fits its schema, and where its parts are in the file. */
export interface Source<T> {
  readonly document: T
  readonly file: Locator
}

/** The parts of a plugin that are not in its YAML files, by skill id. */
export interface Beside {
  /** The code of the skills that have a handler. */
  readonly handlers: ReadonlyMap<string, Bundle>
  /** Recorded outputs for the first example of skills. */
  readonly outputs: ReadonlyMap<string, Json>
}

/** The type checks of `typed/`. They are passed in, so that a process that runs playbooks need not load them. */
export type TypeChecks = Pick<typeof import('../typed/index.ts'), 'checkManifestTypes' | 'checkSkillTypes'>

/**
 * Compiles a plugin from documents that fit their schemas.
 * @param beside the contents of the other files
 * @param written set if somebody writes the files. Then types and examples are checked too, and schemas are
 * compiled now. Null for artifacts, which were checked when they were written
 * @throws TocsinError `manifest_invalid`, `skill_invalid`, with every place in every file
 */
export function compilePlugin(
  manifest: Source<ManifestDocument>,
  sources: readonly Source<SkillDocument>[],
  { handlers, outputs }: Beside,
  faults: Faults,
  written: TypeChecks | null = null,
): Plugin {
  const secrets = credentialNames(manifest.document).secret
  const places = new FaultPlaces(manifest.file, secrets)
  const compiled = compileManifest(manifest.document, places)
  if (written && places.found.length === 0) written.checkManifestTypes(manifest.document, places)
  faults.manifest.push(...places.found)

  const { id } = manifest.document
  const filters = filtersOf(manifest.document)
  const skills = new Map<string, Skill>()
  const checked = sources.map(({ document, file }) => {
    const own = new FaultPlaces(file, secrets)
    const skill = compileSkill(document, manifest.document, filters, own, handlers.get(document.id) ?? null, written ? 'now' : 'when used')
    if (skills.has(document.id)) own.add(['id'], `the skill \`${document.id}\` is already defined`)
    if (skill) skills.set(document.id, skill)
    checkOthers(document, { id, skills: sources, broken: faults.broken }, own)
    return { document, own, skill }
  })
  // Nothing is known about the types of a skill that cannot be compiled.
  const known = checked.flatMap(({ document, skill }) => (skill ? [[`${id}.${document.id}`, document] as const] : []))
  const surroundings = { manifest: manifest.document, skills: new Map(known), filters }
  for (const { document, own } of checked) {
    if (written && own.found.length === 0) written.checkSkillTypes(document, surroundings, own)
    faults.skills.push(...own.found)
  }
  faults.refuse(id)
  const code = handlers.size === 0 ? {} : { handlers: Object.fromEntries([...handlers].map(([skill, bundle]) => [skill, bundle.text])) }
  const recorded = outputs.size === 0 ? {} : { outputs: Object.fromEntries(outputs) }
  const text = JSON.stringify({ format: 1, manifest: manifest.document, skills: sources.map(({ document }) => document), ...code, ...recorded })
  return { id, digest: digestOf(text), text, manifest: compiled, skills, exampleOutputs: outputs }
}

interface Known {
  readonly id: string
  readonly skills: readonly Source<SkillDocument>[]
  readonly broken: readonly string[]
}

/**
 * Checks the skills that a skill names. Those of this integration must exist. The one in `verify`
 * must only read, and the one in `inverse` must write.
 */
function checkOthers(document: SkillDocument, { id, skills, broken }: Known, places: FaultPlaces): void {
  for (const key of ['verify', 'inverse'] as const) {
    const named = document[key]?.skill
    const [owner, skill = ''] = named?.split('.') ?? []
    if (named !== undefined && owner !== id && key === 'inverse')
      places.add([key, 'skill'], `\`${named}\` belongs to another integration; the inverse of a call must go to the same system`)
    if (named === undefined || owner !== id || broken.includes(skill)) continue
    const other = skills.find((source) => source.document.id === skill)
    const names = skills.map((source) => `${id}.${source.document.id}`)
    if (!other) places.unknown([key, 'skill'], 'skill', named, names)
    else if (key === 'verify' && other.document.impact !== 'read')
      places.add([key, 'skill'], `\`${named}\` writes; only a read can tell whether a write happened`)
    else if (key === 'inverse' && other.document.impact === 'read') places.add([key, 'skill'], `\`${named}\` only reads, so it cannot undo anything`)
  }
}
