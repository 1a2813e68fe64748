import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** What was made, and the files of packages that it was made of. */
interface Made<T> {
  readonly result: T
  readonly packages: readonly string[]
}

/** What lies in the file. */
interface Kept<T> extends Made<T> {
  /** Of all files that the result was made of. */
  readonly digest: string
}

const length = 64

/**
 * Returns the result that an earlier process left in a file, if all files that it was made of are still the same. If not, makes it and leaves it
 * there. A file that cannot be read or written costs time only.
 * @param file where the result lies. Only people who may change the code may write there, as its content is sent to browsers
 * @param sources the files and folders that belong to the result, also those that it was not made of: a new file in a folder counts as a change
 */
export async function keptOrMade<T>(file: string, sources: readonly string[], make: () => Promise<Made<T>>): Promise<T> {
  const kept = await read<T>(file).catch(() => null)
  if (kept !== null && kept.digest === (await digestOf(sources, kept.packages))) return kept.result
  const before = await digestOf(sources, [])
  const made = await make()
  // Whoever edits a source meanwhile may have a mixture.
  if (before !== null && before === (await digestOf(sources, []))) await write(file, sources, made).catch(() => null)
  return made.result
}

async function read<T>(file: string): Promise<Kept<T> | null> {
  const content = await readFile(file)
  const body = content.subarray(length)
  // A power cut may leave a part of the file.
  return content.toString('latin1', 0, length) === hash(body) ? (deserialize(body) as Kept<T>) : null
}

async function write<T>(file: string, sources: readonly string[], made: Made<T>): Promise<void> {
  const digest = await digestOf(sources, made.packages)
  if (digest === null) return
  const body = serialize({ ...made, digest } satisfies Kept<T>)
  const part = `${file}.${process.pid}`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(part, Buffer.concat([Buffer.from(hash(body), 'latin1'), body]))
  // A reader finds the old file or the new one.
  await rename(part, file)
}

/** Returns a digest of the paths and contents of files. Null if one cannot be read. */
async function digestOf(sources: readonly string[], packages: readonly string[]): Promise<string | null> {
  try {
    const digest = createHash('sha256')
    const paths = [...(await Promise.all(sources.map(filesIn))).flat(), ...packages]
    for (const path of paths) digest.update(`${path}\n${hash(await readFile(path))}\n`)
    return digest.digest('hex')
  } catch {
    return null
  }
}

/** Returns the files in a folder and its folders, sorted; or the file itself. */
async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (entries === null) return [path]
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
