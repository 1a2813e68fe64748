import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle as bundleFiles } from '../bundle/index.ts'

/** A file of the console, as it is sent to a browser. */
interface ConsoleFile {
  /** The media type. */
  readonly type: string
  readonly body: string
}

/** The files by name. `index.html` is the page. The names of the others contain a digest of their content, so they can be cached forever. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

const folder = resolve(fileURLToPath(import.meta.url), '../../../console')
const types: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/**
 * Makes the function that returns the files of the console. It bundles them at the first request, so a process without console users
 * does no work, and an edit needs no build. If bundling fails, the next request tries again.
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

/** Replaces `main.js` and `main.css` in the page by the names with their digests. */
function withNames(page: string, names: readonly string[]): string {
  return page.replaceAll(/\bmain\.(js|css)\b/g, (_, ending: string) => names.find((name) => name.endsWith(`.${ending}`)) ?? '')
}
