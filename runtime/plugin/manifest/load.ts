import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { Json } from '../../domain/index.ts'
import { isTocsinError, messageOf, TocsinError } from '../../errors/index.ts'
import { digestOf, type Locator, parseYaml, placeAt, validate, type YamlDocument } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'
import { checkManifest, checkSkill, type ManifestDocument, type SkillDocument } from '../grammar/index.ts'
import { bundleHandlers, handlerNames } from '../handler/bundle.ts'
import type { Plugin } from '../types.ts'
import { compilePlugin, type Source } from './compile.ts'
import { Faults } from './faults.ts'
import { isSkillFile, misnamedManifest, straySkills } from './stray-files.ts'

/**
 * Reads `manifest.yaml` and `skills/*.yaml` in a plugin's folder, and bundles the handlers beside
 * them.
 * @throws TocsinError `manifest_invalid`, `skill_invalid`, `yaml_invalid`, with all faults, each
 * with file, line and column; `file_unreadable`
 */
export async function loadPluginFolder(folder: string): Promise<Plugin> {
  const faults = new Faults()
  const name = basename(resolve(folder))
  const misnamed = misnamedManifest(folder)
  if (misnamed !== null) throw new TocsinError('file_unreadable', `${misnamed}: a manifest is read from \`manifest.yaml\`; rename this file.`)
  if (!(await exists(join(folder, 'manifest.yaml'))))
    throw new TocsinError(
      'file_unreadable',
      `${folder} has no manifest.yaml, so it is not the folder of a plugin. Give the path of a folder that has one.`,
    )
  const manifestFile = await readYaml(join(folder, 'manifest.yaml'))
  faults.manifest.push(...validate(checkManifest, manifestFile.value, manifestFile.locate))

  const skillFiles: YamlDocument[] = []
  const inSkills = await entriesOf(join(folder, 'skills'))
  for (const name of inSkills.map((entry) => entry.name).filter(isSkillFile)) {
    const path = join(folder, 'skills', name)
    const file = await collectYaml(path, faults)
    const found = file && validate(checkSkill, file.value, file.locate)
    faults.skills.push(...(found ?? []))
    if (file && found?.length === 0) skillFiles.push(file)
    else faults.broken.push(basename(path, '.yaml'))
  }
  faults.skills.push(...(await straySkills(join(folder, 'skills'), inSkills)))
  if (faults.manifest.length > 0) faults.refuse(name)

  const manifest: Source<ManifestDocument> = { document: manifestFile.value as unknown as ManifestDocument, file: manifestFile }
  const skills = skillFiles.map((file): Source<SkillDocument> => ({ document: file.value as unknown as SkillDocument, file }))
  if (manifest.document.id !== name) faults.manifest.push(placeAt(manifestFile.locate, ['id'], `must be the folder's name, \`${name}\``))
  for (const { document, file } of skills) checkName(document, file as YamlDocument, faults)
  await checkFixtures(folder, skills, faults)
  const handlers = await readHandlers(join(folder, 'skills'), skills, faults)
  const outputs = await readOutputs(folder, skills)
  return compilePlugin(manifest, skills, { handlers, outputs }, faults, await import('../typed/index.ts'))
}

/**
 * Compiles the plugin in an artifact's text. Compiling takes milliseconds, so callers keep the
 * plugin by its digest.
 * @throws TocsinError `manifest_invalid`, `skill_invalid` if this version of Tocsin cannot read the
 * text
 */
export function parsePlugin(text: string): Plugin {
  const value = JSON.parse(text) as {
    readonly manifest: Json
    readonly skills: readonly Json[]
    readonly handlers?: Readonly<Record<string, string>>
    readonly outputs?: Readonly<Record<string, Json>>
  }
  const faults = new Faults()
  faults.manifest.push(...validate(checkManifest, value.manifest, artifact.locate))
  for (const skill of value.skills) faults.skills.push(...validate(checkSkill, skill, artifact.locate))
  faults.refuse('the stored plugin')
  const sources = value.skills.map((document) => ({ document: document as unknown as SkillDocument, file: artifact }))
  const handlers = new Map(Object.entries(value.handlers ?? {}).map(([id, text]) => [id, { digest: digestOf(text), text }]))
  const outputs = new Map(Object.entries(value.outputs ?? {}))
  return compilePlugin({ document: value.manifest as unknown as ManifestDocument, file: artifact }, sources, { handlers, outputs }, faults)
}

/** An artifact has no lines, so every fault gets this place. */
const artifact: Locator = {
  locate: () => ({ file: 'artifact', line: 1, column: 1 }),
  locateInside: () => ({ file: 'artifact', line: 1, column: 1 }),
}

/**
 * Finds the plugin folders in the given folders, sorted by name: each folder with a
 * `manifest.yaml`, or its subfolders that have one. A folder whose manifest has another ending is
 * one too, so that loading it says so.
 * @throws TocsinError `file_unreadable`
 */
export async function pluginFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of folders) {
    if (await isPlugin(folder)) found.push(folder)
    else for (const name of await names(folder)) if (await isPlugin(join(folder, name))) found.push(join(folder, name))
  }
  return found
}

async function isPlugin(folder: string): Promise<boolean> {
  return (await exists(join(folder, 'manifest.yaml'))) || misnamedManifest(folder) !== null
}

/** Loads every plugin in the given folders. @throws as `loadPluginFolder` */
export async function loadPluginFolders(folders: readonly string[]): Promise<readonly Plugin[]> {
  return Promise.all((await pluginFolders(folders)).map(loadPluginFolder))
}

function checkName({ id }: SkillDocument, file: YamlDocument, faults: Faults): void {
  const name = basename(file.file, '.yaml')
  if (id !== name) faults.skills.push(placeAt(file.locate, ['id'], `must be the file's name, \`${name}\``))
}

/**
 * Bundles the code beside the skills. Each file must belong to a skill with `handler`, and each
 * such skill must have a file.
 */
async function readHandlers(folder: string, skills: readonly Source<SkillDocument>[], faults: Faults): Promise<ReadonlyMap<string, Bundle>> {
  const there = (await exists(folder)) ? await handlerNames(folder) : []
  const wanted = skills.filter(({ document }) => document.handler !== undefined)
  for (const { document, file } of wanted)
    if (!there.includes(document.id)) faults.skills.push(placeAt(file.locate, ['handler'], `the file ${document.id}.ts is missing`))
  for (const name of there) {
    if (wanted.some(({ document }) => document.id === name) || faults.broken.includes(name)) continue
    const message = 'no skill with this name has `handler`'
    faults.skills.push({ file: join(folder, `${name}.ts`), line: 1, column: 1, field: '', message })
  }
  const { bundles, faults: found } = await bundleHandlers(
    join(folder, '..'),
    wanted.map(({ document }) => document.id).filter((id) => there.includes(id)),
  )
  faults.skills.push(...found)
  return bundles
}

async function checkFixtures(folder: string, skills: readonly Source<SkillDocument>[], faults: Faults): Promise<void> {
  for (const { document, file } of skills) {
    for (const [at, { fixture }] of (document.examples ?? []).entries()) {
      if (fixture === undefined || (await exists(join(folder, 'fixtures', `${fixture}.json`)))) continue
      faults.skills.push(placeAt(file.locate, ['examples', at, 'fixture'], `the file fixtures/${fixture}.json is missing`))
    }
  }
}

/** The largest recorded output that becomes part of a plugin, in characters of JSON. */
const largestOutput = 32_768

/**
 * Reads the recorded output of each skill's first example. Leaves out outputs that are missing or too
 * large, because nothing depends on them.
 */
async function readOutputs(folder: string, skills: readonly Source<SkillDocument>[]): Promise<ReadonlyMap<string, Json>> {
  const outputs = new Map<string, Json>()
  for (const { document } of skills) {
    const fixture = document.examples?.[0]?.fixture
    if (fixture === undefined) continue
    const output = await readFile(join(folder, 'fixtures', `${fixture}.json`), 'utf8')
      .then((text) => (JSON.parse(text) as { readonly output?: Json }).output)
      .catch(() => undefined)
    if (output !== undefined && JSON.stringify(output).length <= largestOutput) outputs.set(document.id, output)
  }
  return outputs
}

/** Returns what is in a folder, sorted by name. Nothing if there is no such folder. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  if (!(await exists(folder))) return []
  const entries = await inFolder(folder, () => readdir(folder, { withFileTypes: true }))
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function names(folder: string): Promise<readonly string[]> {
  return (await inFolder(folder, () => readdir(folder))).sort()
}

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new TocsinError('file_unreadable', `${folder}: ${messageOf(error)}`, [], { cause: error })
  }
}

/**
 * Reads a file. If it is not YAML, that is a fault like any other, so that all faults are reported
 * together.
 */
async function collectYaml(path: string, faults: Faults): Promise<YamlDocument | null> {
  try {
    return await readYaml(path)
  } catch (error) {
    if (!isTocsinError(error) || error.code !== 'yaml_invalid') throw error
    faults.skills.push(...error.places)
    return null
  }
}

async function readYaml(path: string): Promise<YamlDocument> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new TocsinError('file_unreadable', `${path}: ${messageOf(error)}`, [], { cause: error })
  }
  return parseYaml(text, path)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
