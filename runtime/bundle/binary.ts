import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const wrapper = fileURLToPath(new URL('./esbuild-limited.sh', import.meta.url))

/** Returns the executable of esbuild. Null if it cannot be started through a shell script. */
function executable(): string | null {
  try {
    accessSync(wrapper, constants.X_OK)
    return createRequire(require.resolve('esbuild')).resolve(`@esbuild/${platform()}-${arch()}/bin/esbuild`)
  } catch {
    return null
  }
}

interface Esbuild {
  readonly esbuild: typeof import('esbuild')
  /** The whole environment of esbuild's processes: the path at which the wrapper script finds esbuild. */
  readonly environment: Readonly<Record<string, string>>
}

let loaded: Esbuild | null = null

/**
 * Loads esbuild when it is first needed, so that it runs our wrapper script, and starts a process for each synchronous build: such a
 * process can be limited. A start that imports nothing does not need it.
 */
export function loadEsbuild(): Esbuild {
  loaded ??= load(executable())
  return loaded
}

function load(binary: string | null): Esbuild {
  // esbuild reads these variables while it is loaded. Without them, a synchronous build would use a thread.
  const own = { ESBUILD_WORKER_THREADS: '0', ...(binary !== null && { ESBUILD_BINARY_PATH: wrapper }) }
  Object.assign(process.env, own)
  try {
    return { esbuild: require('esbuild') as typeof import('esbuild'), environment: binary === null ? {} : { TOCSIN_ESBUILD: binary } }
  } finally {
    for (const name of Object.keys(own)) delete process.env[name]
  }
}
