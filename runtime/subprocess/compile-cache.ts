import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Returns the variables that let a thread use the compile cache of this process. By itself it compiles its code anew (decision 29). Empty if
 * this process has no cache.
 */
export function compileCacheVariables(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir()
  // Node adds the folder of its version again.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
