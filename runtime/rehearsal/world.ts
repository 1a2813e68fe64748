import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { TocsinError } from '../errors/index.ts'
import {
  compilePlaybook,
  type Plan,
  type PlaybookSource,
  playbookFiles,
  readPlaybook,
  type SkillLookup,
  skillLookup,
  sourcesBeside,
  withPlaybooks,
} from '../playbook/index.ts'
import { loadPluginFolder, type Plugin, pluginFolders } from '../plugin/index.ts'
import { hint } from '../yaml/index.ts'
import { type Fixtures, readFixtures } from './fixtures.ts'

/** Everything that a rehearsal needs, read from folders. */
export interface World {
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly pluginFolders: readonly string[]
  readonly playbookFolders: readonly string[]
  readonly lookup: SkillLookup
  readonly fixtures: Fixtures
}

export interface FoundPlaybook {
  readonly file: string
  readonly plan: Plan
}

/** @throws TocsinError `file_unreadable`; the errors of loading plugins */
export async function openWorld(folders: { readonly plugins: readonly string[]; readonly playbooks: readonly string[] }): Promise<World> {
  const found = await pluginFolders(folders.plugins)
  const plugins = new Map((await Promise.all(found.map(loadPluginFolder))).map((plugin) => [plugin.id, plugin]))
  return { plugins, pluginFolders: found, playbookFolders: folders.playbooks, lookup: skillLookup(plugins), fixtures: readFixtures(found) }
}

/** A playbook file, and the sub-playbooks in other files that it may run, by name. */
export interface ReadPlaybook extends PlaybookSource {
  readonly around: ReadonlyMap<string, PlaybookSource>
}

/** @throws TocsinError `file_unreadable` */
export async function readWithAround(world: World, file: string): Promise<ReadPlaybook> {
  return { file, text: await readPlaybook(file), around: await sourcesBeside([file], world.playbookFolders) }
}

/** @throws TocsinError `file_unreadable`, `yaml_invalid`, `playbook_invalid` */
export async function loadPlaybook(world: World, file: string): Promise<FoundPlaybook> {
  const { text, around } = await readWithAround(world, file)
  return { file, plan: compilePlaybook(text, file, withPlaybooks(world.lookup, around)) }
}

/**
 * Finds a playbook by name in the folder of the file that tests it, then in the playbook folders.
 * Its sub-playbooks are looked up there too.
 *
 * @throws TocsinError `playbook_unknown`; the errors of `loadPlaybook`
 */
export async function findPlaybook(world: World, name: string, beside: string): Promise<FoundPlaybook> {
  const folders = [dirname(beside), ...world.playbookFolders]
  const sources = await sourcesBeside([], folders)
  const source = sources.get(name)
  if (source === undefined) {
    // A file that is not YAML has no name. Its own error says more than "no playbook has this
    // name".
    const broken = (await Promise.all(folders.filter((folder) => existsSync(folder)).map(playbookFiles)))
      .flat()
      .find((file) => /^(.*)\.ya?ml$/.exec(basename(file))?.[1] === name)
    if (broken !== undefined) return loadPlaybook(world, broken)
    throw new TocsinError('playbook_unknown', `There is no playbook \`${name}\`${hint(name, sources.keys())}`, [], {
      remedy: `Give the name of a playbook in ${world.playbookFolders.join(', ')}, or the path of a file.`,
    })
  }
  return { file: source.file, plan: compilePlaybook(source.text, source.file, withPlaybooks(world.lookup, sources)) }
}

/** Returns whether a file name is that of tests of a playbook. */
export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(basename(file))
}
