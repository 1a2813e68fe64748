import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A process that works for this one, with as few rights as it needs. */
export interface Confined {
  /** The module that it runs. */
  readonly module: string
  /** Its arguments. */
  readonly parameters?: readonly string[]
  /** Folders and files that it may read besides the packages. A folder ends with a separator. */
  readonly reads: readonly string[]
  /** Further flags of Node. */
  readonly flags: readonly string[]
  /** Its error stream: `inherit` shows it with this process's own; `pipe` gives it to the caller. */
  readonly errors: 'inherit' | 'pipe'
  /** Whether this process has priority if there is too little processor time for both. */
  readonly givesWay: boolean
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Returns where packages are found: the path that leads there, and the real path behind it. */
function packageFolders(): readonly string[] {
  const real = dirname(dirname(dirname(createRequire(import.meta.url).resolve('yaml'))))
  return [...new Set([`${real}${sep}`, here('../../node_modules/')])]
}

/**
 * Returns the flags for Node. By its permission model the process may read its own code and start nothing,
 * unless `flags` say otherwise.
 */
export function confinedFlags({ reads, flags }: Pick<Confined, 'reads' | 'flags'>): readonly string[] {
  return [
    '--permission',
    // A signal must not open the inspector, not even before the process listens for it.
    '--disable-sigusr1',
    ...[...reads, ...packageFolders()].map((path) => `--allow-fs-read=${path}`),
    ...flags,
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
}

/** Starts such a process, with a channel. It gets no environment, because this process's own contains secrets. */
export function launchConfined({ module, parameters = [], errors, givesWay, ...allowed }: Confined): ChildProcess {
  const child = fork(module, [...parameters], {
    serialization: 'advanced',
    execArgv: [...confinedFlags(allowed)],
    env: { TZ: 'UTC', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', errors, 'ipc'],
  })
  if (givesWay && child.pid !== undefined) giveWay(child.pid)
  return child
}

/**
 * Lowers the priority of a process. Must happen before it starts its threads: Linux keeps a priority for each
 * thread, which a new thread inherits.
 */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or its priority may not be changed here. It works anyway.
  }
}
