import { basename, dirname } from 'node:path'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import {
  compilePlaybook,
  type Plan,
  playbookFiles,
  readPlaybook,
  type SkillLookup,
  skillLookup,
  sourcesBeside,
  withPlaybooks,
} from '../playbook/index.ts'
import { loadPluginFolder, type Plugin, pluginFolders } from '../plugin/index.ts'
import { hint, parseYaml } from '../yaml/index.ts'
import { type Fixtures, readFixtures } from './fixtures.ts'

/** What there is to rehearse with, read from folders. */
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

/** @throws TocsinError `file_unreadable`, and of loading plugins */
export async function openWorld(folders: { readonly plugins: readonly string[]; readonly playbooks: readonly string[] }): Promise<World> {
  const found = await pluginFolders(folders.plugins)
  const plugins = new Map((await Promise.all(found.map(loadPluginFolder))).map((plugin) => [plugin.id, plugin]))
  return { plugins, pluginFolders: found, playbookFolders: folders.playbooks, lookup: skillLookup(plugins), fixtures: readFixtures(found) }
}

/** @throws TocsinError `file_unreadable`, `yaml_invalid`, `playbook_invalid` */
export async function loadPlaybook(world: World, file: string): Promise<FoundPlaybook> {
  const lookup = withPlaybooks(world.lookup, await sourcesBeside([file], world.playbookFolders))
  return { file, plan: compilePlaybook(await readPlaybook(file), file, lookup) }
}

/**
 * The playbook of a name: beside a file that tests it, else in the playbook folders.
 * @throws TocsinError `playbook_unknown`, and as `loadPlaybook`
 */
export async function findPlaybook(world: World, name: string, beside: string): Promise<FoundPlaybook> {
  const named = new Map<string, string>()
  for (const folder of [dirname(beside), ...world.playbookFolders]) {
    for (const file of await playbookFiles(folder)) {
      const given = await nameIn(file)
      if (given !== null && !named.has(given)) named.set(given, file)
    }
  }
  const file = named.get(name)
  if (file === undefined) throw new TocsinError('playbook_unknown', `There is no playbook \`${name}\`${hint(name, named.keys())}`)
  return loadPlaybook(world, file)
}

export function isTestFile(file: string): boolean {
  return /\.test\.ya?ml$/.test(basename(file))
}

/** The name that a file gives its playbook, whatever else is wrong with it; null for what is no playbook. */
async function nameIn(file: string): Promise<string | null> {
  try {
    const { value } = parseYaml(await readPlaybook(file), file)
    const name = typeof value === 'object' && value !== null && 'playbook' in value ? value.playbook : null
    return typeof name === 'string' ? name : null
  } catch (error) {
    if (isTocsinError(error)) return null
    throw error
  }
}
