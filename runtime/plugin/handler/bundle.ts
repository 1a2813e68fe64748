import { readdir, realpath } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { type BuildFailure, bundle, type Plugin as EsbuildPlugin, type Message } from '../../bundle/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'
import { bundleGlobal } from '../isolate/protocol.ts'
import { defaultExport } from './plan.ts'

/** The largest bundle of a handler with its imports, in characters. */
const maxBundle = 4 * 1024 * 1024

export interface Bundled {
  /** The bundles, by skill id. */
  readonly bundles: ReadonlyMap<string, Bundle>
  readonly faults: readonly ErrorPlace[]
}

/** Returns the skills in a plugin's folder that have a `.ts` file. */
export async function handlerNames(skillsFolder: string): Promise<readonly string[]> {
  return (await readdir(skillsFolder)).filter((name) => name.endsWith('.ts')).map((name) => basename(name, '.ts'))
}

/**
 * Bundles handlers. Each becomes one script with the plugin's files and the packages that it
 * imports, without types and without anything of Node. The same sources give the same text,
 * wherever the folder is.
 */
export async function bundleHandlers(folder: string, skills: readonly string[]): Promise<Bundled> {
  if (skills.length === 0) return { bundles: new Map(), faults: [] }
  // Imports are resolved at the real path of files, but the folder may be a symbolic link.
  const root = await realpath(resolve(folder))
  try {
    const { outputFiles } = await bundle({
      absWorkingDir: root,
      entryPoints: skills.map((skill) => ({ in: join(root, 'skills', `${skill}.ts`), out: skill })),
      outdir: root,
      bundle: true,
      write: false,
      format: 'iife',
      globalName: bundleGlobal,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'es2024',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      // Comments would contain paths, and the text must not depend on where it was made. Names are kept,
      // so that stack traces are readable.
      minifyWhitespace: true,
      minifySyntax: true,
      tsconfigRaw: '{}',
      plugins: [ownFilesOnly(root)],
    })
    const bundles = outputFiles.map(({ path, text }) => [basename(path, '.js'), { digest: digestOf(text), text }] as const)
    const faults = bundles.flatMap(([skill, { text }]) => {
      const fault = faultIn(text)
      return fault === null ? [] : [placeOf(root, { location: null, text: fault }, skill)]
    })
    return { bundles: new Map(bundles), faults }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    return { bundles: new Map(), faults: error.errors.map((message) => placeOf(root, message, '')) }
  }
}

/** Returns why a bundle cannot be called, or null. */
function faultIn(text: string): string | null {
  if (text.length > maxBundle) return `the handler and its imports have more than ${maxBundle} characters`
  // Without one in the whole bundle, the handler has none.
  return text.includes(defaultExport) ? null : 'the file exports no handler: write `export default (async ({ input, http }) => { … })`'
}

/**
 * Refuses imports from outside the plugin's folder. They would not be in the history of its
 * artifact, and could be part of Tocsin itself.
 */
function ownFilesOnly(root: string): EsbuildPlugin {
  return {
    name: 'own-files',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{0,2}\// }, ({ path, resolveDir }) => {
        const inPackage = resolveDir.includes(`${sep}node_modules${sep}`)
        const inside = resolve(resolveDir, path).startsWith(root + sep)
        return inside || inPackage ? undefined : { errors: [{ text: `${path} is outside the plugin's folder` }] }
      })
      onResolve({ filter: /^node:/ }, ({ path }) => ({
        errors: [{ text: `${path}: a handler cannot use Node; it can use what its call gives it` }],
      }))
    },
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as { errors?: unknown }).errors)
}

function placeOf(root: string, { location, text }: Pick<Message, 'location' | 'text'>, skill: string): ErrorPlace {
  const file = join(root, location?.file ?? `skills/${skill}.ts`)
  return { file, line: location?.line ?? 1, column: (location?.column ?? 0) + 1, field: '', message: text }
}
