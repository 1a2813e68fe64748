import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A folder with too many files side by side to take in at a glance. */
export interface CrowdedFolder {
  readonly folder: string
  readonly files: number
}

/** The most files side by side in a folder. Tests count; subfolders do not. */
export const mostFiles = 20

/** Folders of files of one kind that people open one at a time. Nobody reads them as a whole. */
const collections = new Set(['fixtures', 'skills', 'node_modules'])

/**
 * Lists folders with all their subfolders, except fixtures, skills and packages.
 * @param root the folder that contains `tops`
 * @returns paths relative to `root`
 */
export function foldersBelow(root: string, tops: readonly string[]): readonly string[] {
  return tops.flatMap((folder) => {
    const inner = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !collections.has(entry.name))
      .map((entry) => `${folder}/${entry.name}`)
    return [folder, ...foldersBelow(root, inner)]
  })
}

/**
 * Finds folders with too many files side by side.
 * @param root the folder that contains `tops`
 * @param tops the folders to search, with all their subfolders
 */
export function crowdedFolders(root: string, tops: readonly string[]): readonly CrowdedFolder[] {
  return foldersBelow(root, tops)
    .map((folder) => ({ folder, files: readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length }))
    .filter(({ files }) => files > mostFiles)
}
