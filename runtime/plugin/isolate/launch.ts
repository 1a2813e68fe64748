import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
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
  const child = launchConfined({ module: here('./child.ts'), reads, flags: own, errors: 'pipe', givesWay: true })
  passOnErrors(child)
  return child
}

/** More than Node says of a process that cannot begin. Characters. */
const longestReport = 16_384

/**
 * Shows what the process said of an error, when it has ended. V8's own report of a script that was too large for it is left out: it is a stack
 * trace without names, and whoever called the script is told.
 */
function passOnErrors(child: ChildProcess): void {
  const { stderr } = child
  if (!stderr) return
  let said = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < longestReport) said += text
  })
  // A pipe is a socket. As with the process itself, nobody stays alive for this alone.
  ;(stderr as Socket).unref()
  child.once('close', () => {
    if (said !== '' && !/^#? ?(Fatal (error|JavaScript)|FATAL ERROR)/im.test(said)) process.stderr.write(said)
  })
}
