import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Json } from '../domain/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'

/** The recorded examples in plugins, `<plugin>/fixtures/<name>.json`. */
export interface Fixtures {
  names(integration: string): readonly string[]
  /**
   * Returns the skill's output for a recorded answer. Undefined if there is no such fixture.
   * @throws TocsinError `file_unreadable`
   */
  output(integration: string, name: string): Json | undefined
}

/** @param folders one folder for each plugin */
export function readFixtures(folders: readonly string[]): Fixtures {
  const folderOf = new Map(folders.map((folder) => [basename(folder), join(folder, 'fixtures')]))
  const names = (integration: string): readonly string[] => {
    const folder = folderOf.get(integration)
    try {
      return folder === undefined ? [] : readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    } catch {
      // A plugin may have no fixtures.
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
