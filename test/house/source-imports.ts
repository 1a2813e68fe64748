import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Import {
  /** The path from the root. */
  readonly from: string
  /** The path from the root for files of this project, else the name of the package. */
  readonly to: string
  readonly ours: boolean
}

/** Returns the paths of all TypeScript files of a folder, from the root. */
export function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

/** Returns the imports of a file: values, types, and re-exports. */
export function importsOf(file: string): Import[] {
  return importsIn(file, readFileSync(join(root, file), 'utf8'))
}

/** Returns the imports of a text. @param file the path of the text from the root */
export function importsIn(file: string, text: string): Import[] {
  const { module } = parseSync(file, text)
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1))
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
  const names = new Set([...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic])
  return [...names].map((name) => {
    const ours = name.startsWith('.')
    return { from: file, to: ours ? relative(root, resolve(root, dirname(file), name)) : packageOf(name), ours }
  })
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}
