import { readFile } from 'node:fs/promises'
import { type Clock, type Digest, normaliseType, systemScope } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { PluginLibrary } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'
import { digestOf, parseYaml } from '../yaml/index.ts'
import { withPlaybooks } from './compile/with-playbooks.ts'
import { playbookFiles, readPlaybook, sourcesBeside } from './files.ts'
import { lintWorld, usablePlaybook } from './lint/index.ts'
import type { Plan } from './plan.ts'

/** What became of one playbook file and one of its alert types. */
export type Imported =
  | {
      readonly file: string
      readonly outcome: 'activated' | 'unchanged' | 'kept_edit' /** Null: a sub-playbook. */
      readonly type: string | null
      readonly name: string
    }
  | { readonly file: string; readonly outcome: 'refused'; readonly error: TocsinError }

/**
 * Imports playbook folders into the store and activates what is new in them, for every organization.
 *
 * What somebody activated in the store since the last import stays (`kept_edit`). A file with an error is
 * refused and replaces nothing.
 * @throws TocsinError `file_unreadable` when a folder cannot be read
 */
export async function importPlaybooks(store: Store, plugins: PluginLibrary, clock: Clock, folders: readonly string[]): Promise<readonly Imported[]> {
  const files = (await Promise.all(folders.map(playbookFiles))).flat()
  const world = withPlaybooks(lintWorld(await plugins.active()), await sourcesBeside(files, []))
  const results: Imported[] = []
  const takenBy = new Map<string, string>()
  for (const file of files) {
    try {
      const text = await readPlaybook(file)
      const plan = usablePlaybook(text, file, world)
      const digest = digestOf(text)
      for (const place of placesOf(plan)) {
        const key = `${place.kind} ${place.key}`
        const other = takenBy.get(key)
        if (other !== undefined) throw new TocsinError('playbook_invalid', `${file}: ${other} is ${calledAt(place)} already.`)
        takenBy.set(key, file)
        await store.artifacts.put(systemScope, [{ digest, kind: place.kind, name: plan.name, text, organization: null, createdAt: clock.now() }])
        const outcome = await activateFromFolder(store, clock, place, plan.name, digest)
        results.push({ file, type: place.kind === 'playbook' ? place.key : null, name: plan.name, outcome })
      }
    } catch (error) {
      if (!isTocsinError(error) || error.entry.status >= 500) throw error
      results.push({ file, outcome: 'refused', error })
      await claimTypes(store, clock, file)
    }
  }
  return results
}

interface Place {
  readonly kind: 'playbook' | 'sub_playbook'
  readonly organization: null
  readonly key: string
}

/** Where a file's playbook becomes active: for each of its alert types, and a sub-playbook under its name. */
function placesOf({ types, name }: Plan): readonly Place[] {
  if (types.length === 0) return [{ kind: 'sub_playbook', organization: null, key: name }]
  return types.map((key) => ({ kind: 'playbook', organization: null, key }))
}

function calledAt({ kind, key }: Place): string {
  return kind === 'playbook' ? `the playbook of the alert type ${key}` : `the sub-playbook ${key}`
}

/**
 * Makes a file that was refused the playbook of its types all the same, where nothing else is: alerts of these types then fail with what is
 * wrong with it, and are not taken for alerts of a type that nobody has a playbook for.
 */
async function claimTypes(store: Store, clock: Clock, file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const { name, types } = namesIn(text)
  const digest = digestOf(text)
  const at = clock.now()
  for (const type of types) {
    const place = { kind: 'playbook', organization: null, key: normaliseType(type) } as const
    if (await store.artifacts.active(systemScope, place)) continue
    await store.artifacts.put(systemScope, [{ digest, kind: 'playbook', name, text, organization: null, createdAt: at }])
    await store.artifacts.activate(systemScope, {
      ...place,
      digest,
      name,
      source: 'folder',
      folderDigest: digest,
      revision: 1,
      activatedAt: at,
      activatedBy: null,
      withdrawn: false,
    })
  }
}

/** What a file says of itself, as far as it can be read at all. */
function namesIn(text: string): { readonly name: string; readonly types: readonly string[] } {
  let value: unknown
  try {
    value = parseYaml(text, '').value
  } catch {
    return { name: '', types: [] }
  }
  const { playbook, alert_type } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly playbook?: unknown
    readonly alert_type?: unknown
  }
  const types = (Array.isArray(alert_type) ? alert_type : [alert_type]).filter(
    (type): type is string => typeof type === 'string' && type.trim() !== '',
  )
  return { name: typeof playbook === 'string' ? playbook : 'unnamed', types }
}

async function activateFromFolder(
  store: Store,
  clock: Clock,
  place: Place,
  name: string,
  digest: Digest,
): Promise<'activated' | 'unchanged' | 'kept_edit'> {
  for (;;) {
    const standing = await store.artifacts.active(systemScope, place)
    if (standing?.digest === digest && standing.source === 'folder') return 'unchanged'
    if (standing && standing.source !== 'folder') return 'kept_edit'
    const { activated } = await store.artifacts.activate(systemScope, {
      ...place,
      digest,
      name,
      source: 'folder',
      folderDigest: digest,
      revision: (standing?.revision ?? 0) + 1,
      activatedAt: clock.now(),
      activatedBy: null,
      withdrawn: false,
    })
    if (activated) return 'activated'
  }
}
