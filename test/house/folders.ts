import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A folder with more files side by side than a reader takes in at one look. */
export interface CrowdedFolder {
  readonly folder: string
  readonly files: number
}

/** The most files side by side in a folder. Tests count; subfolders do not. */
export const mostFiles = 20

/** Files of the same kind, read one at a time: nobody looks at such a folder as a whole. */
const collections = new Set(['fixtures', 'skills', 'node_modules'])

/**
 * Finds folders with too many files side by side.
 * @param root the folder that `tops` are in
 * @param tops the folders to look into, with all their subfolders
 */
export function crowdedFolders(root: string, tops: readonly string[]): readonly CrowdedFolder[] {
  return tops.flatMap((folder) => crowdedBelow(root, folder))
}

function crowdedBelow(root: string, folder: string): readonly CrowdedFolder[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).length
  const own = files > mostFiles ? [{ folder, files }] : []
  const below = entries
    .filter((entry) => entry.isDirectory() && !collections.has(entry.name))
    .flatMap((entry) => crowdedBelow(root, `${folder}/${entry.name}`))
  return [...own, ...below]
}
