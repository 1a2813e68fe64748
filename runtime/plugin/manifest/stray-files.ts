import { type Dirent, existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErrorPlace } from '../../errors/index.ts'

/**
 * Finds what looks like a skill in the folder `skills/` but is not read, so that no skill is missing
 * unnoticed. A copy beside its original, such as `a.yaml.bak` beside `a.yaml`, hides nothing.
 * @param entries what is in the folder
 */
export async function straySkills(folder: string, entries: readonly Dirent[]): Promise<readonly ErrorPlace[]> {
  const read = entries.map(({ name }) => name).filter(isSkillFile)
  const strays = entries.filter(({ name }) => !isHidden(name) && !isSkillFile(name) && !read.some((one) => name.startsWith(one)))
  const found = await Promise.all(strays.map((entry) => faultOf(folder, entry)))
  return found.flatMap((message, at) =>
    message === null ? [] : [{ file: join(folder, strays[at]?.name ?? ''), line: 1, column: 1, field: '', message }],
  )
}

/** Tells whether a name in `skills/` is that of a skill. Editors keep hidden files of their own there. */
export function isSkillFile(name: string): boolean {
  return name.endsWith('.yaml') && !isHidden(name)
}

function isHidden(name: string): boolean {
  return name.startsWith('.')
}

const looksLikeSkill = /\.ya?ml/i

/** Returns what is wrong with an entry of `skills/` that is not read. Null: it is no skill. */
async function faultOf(folder: string, entry: Dirent): Promise<string | null> {
  if (entry.isDirectory()) {
    const [inside] = (await readdir(join(folder, entry.name))).filter((name) => looksLikeSkill.test(name) && !isHidden(name)).sort()
    return inside === undefined ? null : `skills are not read from folders in \`skills/\`; move ${inside} to \`skills/\``
  }
  if (!looksLikeSkill.test(entry.name)) return null
  const meant = entry.name.replace(/\.ya?ml.*$/i, '.yaml')
  return `skills are read from \`.yaml\` files; name it ${meant}${/\.ya?ml$/i.test(entry.name) ? '' : ', or move it out of `skills/`'}`
}

/** Returns the file that was probably meant as the manifest of a folder without `manifest.yaml`. Null: there is none. */
export function misnamedManifest(folder: string): string | null {
  if (existsSync(join(folder, 'manifest.yaml'))) return null
  return ['manifest.yml', 'manifest.YAML', 'manifest.YML'].map((name) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
