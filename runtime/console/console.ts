import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { bundle as bundleFiles } from '../bundle/index.ts'
import { keptOrMade } from './kept.ts'

/** A file of the console, as it is sent to a browser. */
interface ConsoleFile {
  /** The media type. */
  readonly type: string
  readonly body: Buffer
  /** The body compressed with gzip. Null for files that are compressed already. */
  readonly gzipped: Buffer | null
}

/** The console, ready to be served. */
export interface ConsoleFiles {
  /**
   * Returns the page.
   * @param nonce a fresh random value; the page's styles carry it, and its content security policy names it
   */
  page(nonce: string): string
  /** The files that the page loads, by name. A name contains a digest of the content, so a file can be cached forever. */
  readonly files: ReadonlyMap<string, ConsoleFile>
}

/** The console as it is kept: the page still has the place for its nonce. */
interface Bundled {
  readonly page: string
  readonly files: ConsoleFiles['files']
}

const place = (path: string): string => resolve(fileURLToPath(import.meta.url), '../../..', path)
const folder = place('console')
/** Where the bundled console lies for the next process, beside Node's compile cache (decisions 29 and 30). */
const keptFile = place('node_modules/.cache/tocsin-console')
/** What the bundle depends on besides the files of packages. npm writes the last one when it installs packages. */
const sources = [folder, place('runtime/console'), place('runtime/bundle'), place('node_modules/.package-lock.json')]
/** Where the server serves the files. */
const filesPath = '/console/files/'
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
}
const compress = promisify(gzip)

/**
 * `import address from 'file?url'` serves the file unchanged, and returns its address. Two things need it: the worker that lays out graphs
 * must be a file of this server, and esbuild does not load the styles of a dynamic import.
 */
const addresses: NonNullable<Parameters<typeof bundleFiles>[0]['plugins']>[number] = {
  name: 'addresses of files',
  setup(build) {
    build.onResolve({ filter: /\?url$/ }, async ({ path, resolveDir, kind, importer }) => {
      const found = await build.resolve(path.slice(0, -'?url'.length), { resolveDir, kind, importer })
      return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, namespace: 'url' }
    })
    build.onLoad({ filter: /./, namespace: 'url' }, async ({ path }) => ({ contents: await readFile(path), loader: 'file' }))
  },
}

/**
 * Makes the function that returns the files of the console. It bundles them at the first request, unless an earlier process did and nothing
 * has changed since. So a process without console users does no work, and an edit needs no build. If bundling fails, the next request tries
 * again.
 */
export function createConsole(): () => Promise<ConsoleFiles> {
  let made: Promise<ConsoleFiles> | null = null
  return () => {
    made ??= open().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

async function open(): Promise<ConsoleFiles> {
  const { page, files } = await keptOrMade(keptFile, sources, bundle)
  return { page: (nonce) => page.replaceAll('{nonce}', nonce), files }
}

async function bundle(): Promise<{ readonly result: Bundled; readonly packages: readonly string[] }> {
  const { outputFiles, metafile } = await bundleFiles({
    absWorkingDir: folder,
    entryPoints: ['main.tsx'],
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: filesPath,
    outdir: folder,
    bundle: true,
    // Pages that are imported dynamically become files of their own, loaded when somebody opens them.
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    minify: true,
    jsx: 'automatic',
    legalComments: 'none',
    logLevel: 'silent',
    loader: { '.woff2': 'file' },
    // Only the tests of the library for forms import this validator, and it is not installed. No file of the result imports it.
    external: ['@rjsf/validator-ajv8'],
    plugins: [addresses],
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: '{}',
  })
  const files = new Map<string, ConsoleFile>()
  for (const { path, contents } of outputFiles) {
    const name = basename(path)
    const ending = name.slice(name.lastIndexOf('.') + 1)
    const body = Buffer.from(contents)
    files.set(name, {
      type: types[ending] ?? 'application/octet-stream',
      body,
      gzipped: ending === 'woff2' ? null : await compress(body),
    })
  }
  const page = withNames(await readFile(join(folder, 'index.html'), 'utf8'), [...files.keys()])
  // esbuild puts the name of a plugin's namespace before the path: `url:/…/elk-worker.min.js`.
  const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => resolve(folder, path.replace(/^[\w()-]+:/, '')))
  return { result: { page, files }, packages: [...new Set(inputs)].filter((path) => !path.startsWith(`${folder}/`)) }
}

/** Replaces `main.js` and `main.css` in the page by the paths of the files with their digests. */
function withNames(page: string, names: readonly string[]): string {
  return page.replaceAll(/\bmain\.(js|css)\b/g, (_, ending: string) => {
    const name = names.find((one) => one.startsWith('main-') && one.endsWith(`.${ending}`))
    return name === undefined ? '' : `${filesPath}${name}`
  })
}
