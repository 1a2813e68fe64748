import { readdir, realpath } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { type BuildFailure, bundle, type Plugin as EsbuildPlugin, type Message } from '../../bundle/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'

/** Where the bundle leaves what the handler's file exports. */
export const bundleGlobal = '__tocsin_handler'

/** A handler with its libraries that is larger than this is no handler. */
const maxBundle = 4 * 1024 * 1024

export interface Bundled {
  /** By skill id. */
  readonly bundles: ReadonlyMap<string, Bundle>
  readonly faults: readonly ErrorPlace[]
}

/** The skills of a plugin's folder that have a `.ts` beside them. */
export async function handlerNames(skillsFolder: string): Promise<readonly string[]> {
  return (await readdir(skillsFolder)).filter((name) => name.endsWith('.ts')).map((name) => basename(name, '.ts'))
}

/**
 * Bundles handlers, each with the files of its plugin and the packages that it imports, into one script that runs anywhere: types
 * gone, nothing of Node. The same sources give the same text, wherever the folder stands.
 */
export async function bundleHandlers(folder: string, skills: readonly string[]): Promise<Bundled> {
  if (skills.length === 0) return { bundles: new Map(), faults: [] }
  // Imports are resolved where files really are; the folder may be a link to it.
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
      // No comments with paths: the text must not tell where it was made. Names stay, for whoever reads a stack.
      minifyWhitespace: true,
      minifySyntax: true,
      tsconfigRaw: '{}',
      plugins: [ownFilesOnly(root)],
    })
    const bundles = outputFiles.map(({ path, text }) => [basename(path, '.js'), { digest: digestOf(text), text }] as const)
    const faults = bundles
      .filter(([, { text }]) => text.length > maxBundle)
      .map(([skill]) => placeOf(root, { location: null, text: `with its imports the handler is larger than ${maxBundle} characters` }, skill))
    return { bundles: new Map(bundles), faults }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    return { bundles: new Map(), faults: error.errors.map((message) => placeOf(root, message, '')) }
  }
}

/** A plugin is its folder: what lies outside would not be in its artifact's history, and might be the runtime's own. */
function ownFilesOnly(root: string): EsbuildPlugin {
  return {
    name: 'own-files',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{0,2}\// }, ({ path, resolveDir }) => {
        const inPackage = resolveDir.includes(`${sep}node_modules${sep}`)
        const inside = resolve(resolveDir, path).startsWith(root + sep)
        return inside || inPackage ? undefined : { errors: [{ text: `${path} lies outside the plugin's folder` }] }
      })
      onResolve({ filter: /^node:/ }, ({ path }) => ({
        errors: [{ text: `${path}: a handler has nothing of Node; it gets what it may use with its call` }],
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
