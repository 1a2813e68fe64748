import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
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
  const child = fork(here('./child.ts'), [], {
    serialization: 'advanced',
    execArgv: [...flags()],
    env: { TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (child.pid !== undefined) giveWay(child.pid)
  return child
}

/**
 * Where there is too little of the processor for all, the runtime comes before what scripts compute. Done before the process has begun its
 * threads: Linux keeps a priority for each, and a thread has that of the one which began it.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or may not be changed here: it works all the same.
  }
}
