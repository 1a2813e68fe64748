import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A process that works for this one, and has as little as it can do with. */
export interface Confined {
  /** The module that it runs. */
  readonly module: string
  /** Folders and files that it may read besides the packages. A folder ends with a separator. */
  readonly reads: readonly string[]
  /** Further flags of Node. */
  readonly flags: readonly string[]
  /** Its error stream: shown with this process's own, or given to whoever began it. */
  readonly errors: 'inherit' | 'pipe'
  /** Whether this process comes before it where there is too little of the processor for both. */
  readonly givesWay: boolean
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Where packages are found, by the way that leads there and by where that ends. */
function packageFolders(): readonly string[] {
  const real = dirname(dirname(dirname(createRequire(import.meta.url).resolve('yaml'))))
  return [...new Set([`${real}${sep}`, here('../../node_modules/')])]
}

/** What Node is told: by its permission model the process may read its own code and start nothing, unless `flags` say otherwise. */
export function confinedFlags({ reads, flags }: Pick<Confined, 'reads' | 'flags'>): readonly string[] {
  return [
    '--permission',
    // A signal must not open the inspector, not even before the process has a listener for it.
    '--disable-sigusr1',
    ...[...reads, ...packageFolders()].map((path) => `--allow-fs-read=${path}`),
    ...flags,
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
}

/** Begins such a process, with a channel. It gets no environment: this process's own holds secrets. */
export function launchConfined({ module, errors, givesWay, ...allowed }: Confined): ChildProcess {
  const child = fork(module, [], {
    serialization: 'advanced',
    execArgv: [...confinedFlags(allowed)],
    env: { TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', errors, 'ipc'],
  })
  if (givesWay && child.pid !== undefined) giveWay(child.pid)
  return child
}

/** Done before the process has begun its threads: Linux keeps a priority for each, and a thread has that of the one which began it. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or may not be changed here: it works all the same.
  }
}
