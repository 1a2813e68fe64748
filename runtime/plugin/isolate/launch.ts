import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { confinedFlags, launchConfined } from '../../subprocess/index.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Its own code, and the file by which the addon's loader knows its platform. */
const reads = [here('./'), '/etc/alpine-release']
// The snapshot that Node starts from does not get on with isolates.
const own = ['--no-node-snapshot', '--allow-addons']

/** What Node is told for the process of the isolates: it may read its own code, that of the addon, and the file by which the addon's loader knows its platform. */
export function flags(): readonly string[] {
  return confinedFlags({ reads, flags: own })
}

/** Begins a process for isolates. Nothing of this process's environment is for plugins. */
export function launch(): ChildProcess {
  return launchConfined({ module: here('./child.ts'), reads, flags: own, errors: 'inherit', givesWay: true })
}
