import { TtlCache } from '../../caches/index.ts'
import { type Activation, type Clock, type Digest, systemScope } from '../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import { loadPluginFolder, parsePlugin, pluginFolders } from '../manifest/load.ts'
import type { Plugin } from '../types.ts'

/** How long a change of plugins may take to reach every process, in milliseconds. */
const activationAge = 2_000

/** What to do about a run whose plugin the store has lost. */
const lost = 'Import the plugin again: put its folder back, and start Tocsin. Then retry the alert: its next run uses the plugin that is active.'

/** The plugins in the store. Workers read only these, never a folder. */
export interface PluginLibrary {
  /** Returns the active plugins by integration id. Leaves out those that this version of Tocsin cannot read. */
  active(): Promise<ReadonlyMap<string, Plugin>>
  /** Returns the plugin that a run has pinned. @throws TocsinError `integration_unknown` */
  byDigest(digest: Digest): Promise<Plugin>
  forget(): void
}

/** A library that also gets the plugins that this process has just imported. */
export interface ImportingLibrary extends PluginLibrary {
  /** Keeps a plugin that is in the store, so that it need not be compiled again. */
  readonly keep: (plugin: Plugin) => void
}

/**
 * Finds plugins in the store, and imports them. Compiled ones stay in memory. Which one is active may be two seconds old.
 * @param tell gets each active plugin that this version of Tocsin cannot read, once
 */
export function createPluginLibrary(store: Store, clock: Clock, tell: (id: string, error: TocsinError) => void = () => {}): ImportingLibrary {
  const active = new TtlCache<ReadonlyMap<string, Plugin>>(clock, activationAge, 1)
  const plugins = new TtlCache<Plugin>(clock, Number.MAX_SAFE_INTEGER, 200)

  const byDigest = (digest: Digest): Promise<Plugin> =>
    plugins.get(digest, async () => {
      const artifact = await store.artifacts.get(systemScope, digest)
      if (!artifact) throw new TocsinError('integration_unknown', `The store no longer has the plugin ${digest}.`, [], { remedy: lost })
      return parsePlugin(artifact.text)
    })

  const told = new Set<Digest>()
  /** Returns an empty list if the plugin cannot be read. Then only playbooks that use it fail, and not every alert. */
  const readable = async ({ key, digest }: Activation): Promise<readonly (readonly [string, Plugin])[]> => {
    try {
      return [[key, await byDigest(digest)]]
    } catch (error) {
      if (!isTocsinError(error) || error.entry.status >= 500) throw error
      if (!told.has(digest)) tell(key, error)
      told.add(digest)
      return []
    }
  }

  return {
    active: () =>
      active.get('', async () => {
        const activations = await store.artifacts.listActive(systemScope, 'plugin')
        return new Map((await Promise.all(activations.map(readable))).flat())
      }),
    byDigest,
    forget: () => active.clear(),
    keep: (plugin) => void plugins.get(plugin.digest, async () => plugin),
  }
}

/** The outcome of importing one plugin folder. */
export type ImportedPlugin =
  | { readonly folder: string; readonly outcome: 'activated' | 'unchanged'; readonly id: string }
  | { readonly folder: string; readonly outcome: 'refused'; readonly error: TocsinError }

/**
 * Loads plugin folders and activates the plugins in them. An invalid plugin is refused and replaces
 * nothing.
 * @param keep gets each plugin that is active now
 * @throws TocsinError `file_unreadable` if a folder of plugins cannot be read
 */
export async function importPlugins(
  store: Store,
  clock: Clock,
  folders: readonly string[],
  keep: (plugin: Plugin) => void = () => {},
): Promise<readonly ImportedPlugin[]> {
  const results: ImportedPlugin[] = []
  for (const folder of await pluginFolders(folders)) {
    try {
      const plugin = await loadPluginFolder(folder)
      results.push({ folder, ...(await activatePlugin(store, clock, plugin)) })
      keep(plugin)
    } catch (error) {
      if (!isTocsinError(error) || error.entry.status >= 500) throw error
      results.push({ folder, outcome: 'refused', error })
    }
  }
  return results
}

async function activatePlugin(store: Store, clock: Clock, { id, digest, text }: Plugin): Promise<{ outcome: 'activated' | 'unchanged'; id: string }> {
  await store.artifacts.put(systemScope, [{ digest, kind: 'plugin', name: id, text, organization: null, createdAt: clock.now() }])
  const place = { kind: 'plugin', organization: null, key: id } as const
  for (;;) {
    const standing = await store.artifacts.active(systemScope, place)
    if (standing?.digest === digest) return { outcome: 'unchanged', id }
    const { activated } = await store.artifacts.activate(systemScope, {
      ...place,
      digest,
      name: id,
      source: 'folder',
      folderDigest: digest,
      revision: (standing?.revision ?? 0) + 1,
      activatedAt: clock.now(),
      activatedBy: null,
      withdrawn: false,
    })
    if (activated) return { outcome: 'activated', id }
  }
}
