import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Where packages are found, by the way that leads there and by where that ends. */
function packageFolders(): readonly string[] {
  const real = dirname(dirname(createRequire(import.meta.url).resolve('isolated-vm')))
  return [...new Set([`${real}${sep}`, here('../../../node_modules/')])]
}

/** What Node is told for the process of the isolates: it may read its own code, that of the addon, and the file by which the addon's loader knows its platform. */
export function flags(): readonly string[] {
  const code = [here('./'), ...packageFolders(), '/etc/alpine-release'].map((path) => `--allow-fs-read=${path}`)
  return [
    // The snapshot that Node starts from does not get on with isolates.
    '--no-node-snapshot',
    '--permission',
    '--allow-addons',
    ...code,
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
}

/** Begins a process for isolates. Nothing of this process's environment is for plugins. */
export function launch(): ChildProcess {
  return fork(here('./child.ts'), [], {
    serialization: 'advanced',
    execArgv: [...flags()],
    env: { TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
