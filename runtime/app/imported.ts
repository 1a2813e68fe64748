import { createHash } from 'node:crypto'
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, version } from '../config/index.ts'
import { systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'

/** The file in the data folder that remembers the last import. */
const fileName = 'imported'
const runtimeFolder = fileURLToPath(new URL('..', import.meta.url))
/** What package managers write when they install packages. Handlers may import packages. */
const installed = ['.package-lock.json', '.yarn-state.yml', '.modules.yaml']
/** Folders with more files are always imported: reading them would take as long. */
const mostFiles = 5_000

type Folders = Pick<Config, 'plugins' | 'playbooks'>

/**
 * Returns a digest of the files that an import depends on: the folders, the code of Tocsin, and the packages beside the folders, which
 * handlers may import. Null: it cannot be told.
 */
export function filesState({ plugins, playbooks }: Folders): string | null {
  try {
    const digest = createHash('sha256')
    const add = (...parts: readonly unknown[]): void => void digest.update(`${JSON.stringify(parts)}\n`)
    add(version, process.version)
    for (const file of filesIn(runtimeFolder)) add(file, ...statOf(file))
    for (const folder of [runtimeFolder, ...plugins]) for (const file of packagesBeside(folder)) add(file, ...statOf(file))
    for (const [kind, folders] of Object.entries({ plugins, playbooks }))
      for (const folder of folders) for (const file of filesIn(folder)) add(kind, file, hash(readFileSync(file)))
    return digest.digest('hex')
  } catch {
    return null
  }
}

/** Returns whether the last import of these files had no errors and no warnings, and everything that folders activated is still active. */
export async function wasImported(data: string, files: string | null, store: Store): Promise<boolean> {
  const noted = await readFile(join(data, fileName), 'latin1').catch(() => null)
  return files !== null && noted === `${files} ${await activeState(store)}`
}

/** Remembers that an import of these files had no errors and no warnings. If that fails, the next start imports again. */
export async function noteImported(data: string, files: string, store: Store): Promise<void> {
  const part = join(data, `${fileName}.${process.pid}`)
  const state = `${files} ${await activeState(store)}`
  try {
    await writeFile(part, state, { mode: 0o600 })
    await rename(part, join(data, fileName))
  } catch {
    // The folder may be read-only, or not there.
  }
}

/** Returns a digest of what folders have activated and is still active. */
async function activeState(store: Store): Promise<string> {
  const lists = await Promise.all((['plugin', 'sub_playbook', 'playbook'] as const).map((kind) => store.artifacts.listActive(systemScope, kind)))
  return hash(JSON.stringify(lists.flat().filter(({ source }) => source === 'folder')))
}

/** Returns the files in a folder and its folders. @throws Error if there are too many, or one is a link, whose target may change unseen */
function filesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(pathOf)
  if (files.length > mostFiles) throw new Error(`${folder} has too many files`)
  return files.toSorted()
}

function pathOf(entry: Dirent): string {
  const path = join(entry.parentPath, entry.name)
  if (!entry.isFile()) throw new Error(`${path} is not a regular file`)
  return path
}

function packagesBeside(folder: string): readonly string[] {
  const found = installed.map((name) => join(folder, 'node_modules', name)).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
  const above = dirname(folder)
  return above === folder ? found : [...found, ...packagesBeside(above)]
}

function statOf(file: string): readonly number[] {
  const { size, mtimeMs } = statSync(file)
  return [size, mtimeMs]
}

function hash(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
