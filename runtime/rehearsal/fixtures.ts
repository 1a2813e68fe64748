import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Json } from '../domain/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'

/** The recorded examples of plugins, `<plugin>/fixtures/<name>.json`. */
export interface Fixtures {
  names(integration: string): readonly string[]
  /** The output that the skill made of what was recorded; undefined: there is no such fixture. @throws TocsinError `file_unreadable` */
  output(integration: string, name: string): Json | undefined
}

/** @param folders of plugins, each the plugin's own */
export function readFixtures(folders: readonly string[]): Fixtures {
  const folderOf = new Map(folders.map((folder) => [basename(folder), join(folder, 'fixtures')]))
  const names = (integration: string): readonly string[] => {
    const folder = folderOf.get(integration)
    try {
      return folder === undefined ? [] : readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    } catch {
      // A plugin need not have any.
      return []
    }
  }
  return {
    names,
    output(integration, name) {
      if (!names(integration).includes(name)) return undefined
      const file = join(folderOf.get(integration) ?? '', `${name}.json`)
      try {
        return (JSON.parse(readFileSync(file, 'utf8')) as { readonly output?: Json }).output
      } catch (error) {
        throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
      }
    },
  }
}
