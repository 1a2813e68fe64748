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

const binary = executable()

/** The whole environment of esbuild's processes: the path at which the wrapper script finds esbuild. */
export const environment: Readonly<Record<string, string>> = binary === null ? {} : { TOCSIN_ESBUILD: binary }

/** Loads esbuild so that it runs our wrapper script, and starts a process for each synchronous build: such a process can be limited. */
export function loadEsbuild(): typeof import('esbuild') {
  // esbuild reads these variables while it is loaded. Without them, a synchronous build would use a thread.
  const own = { ESBUILD_WORKER_THREADS: '0', ...(binary !== null && { ESBUILD_BINARY_PATH: wrapper }) }
  Object.assign(process.env, own)
  try {
    return require('esbuild') as typeof import('esbuild')
  } finally {
    for (const name of Object.keys(own)) delete process.env[name]
  }
}
