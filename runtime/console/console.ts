import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle as bundleFiles } from '../bundle/index.ts'

/** A file of the console as a browser gets it. */
interface ConsoleFile {
  /** The media type. */
  readonly type: string
  readonly body: string
}

/** By name. `index.html` is the page; the others carry a digest of their content in their names, and may be kept for ever. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const folder = resolve(fileURLToPath(import.meta.url), '../../../console')
const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/**
 * The console, bundled when somebody first asks for it: a process that serves no people pays nothing, and an edit needs no build.
 * A bundle that fails is tried again at the next request.
 */
export function createConsole(): () => Promise<ConsoleFiles> {
  let made: Promise<ConsoleFiles> | null = null
  return () => {
    made ??= bundle().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

async function bundle(): Promise<ConsoleFiles> {
  const { outputFiles } = await bundleFiles({
    absWorkingDir: folder,
    entryPoints: ['main.tsx'],
    entryNames: '[name]-[hash]',
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    jsx: 'automatic',
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: '{}',
  })
  const files = new Map<string, ConsoleFile>()
  for (const { path, text } of outputFiles) {
    const name = basename(path)
    files.set(name, { type: types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream', body: text })
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  files.set('index.html', { type: 'text/html; charset=utf-8', body: withNames(page, [...files.keys()]) })
  return files
}

/** `main.js` and `main.css`, as the page names them, under the names that they have got. */
function withNames(page: string, names: readonly string[]): string {
  return page.replaceAll(/\bmain\.(js|css)\b/g, (_, ending: string) => names.find((name) => name.endsWith(`.${ending}`)) ?? '')
}
