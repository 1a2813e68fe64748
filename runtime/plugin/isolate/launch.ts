import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { confinedFlags, launchConfined } from '../../subprocess/index.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * The files that the process may read: its own code, and the file by which the addon's loader
 * detects the platform.
 */
const reads = [here('./'), '/etc/alpine-release']
// isolated-vm does not work with the snapshot that Node starts from.
const own = ['--no-node-snapshot', '--allow-addons']

/**
 * Returns the Node flags for the isolate process. It may read its own code, that of the addon, and
 * the file by which the addon's loader detects the platform.
 */
export function flags(): readonly string[] {
  return confinedFlags({ reads, flags: own })
}

/** Starts a process for isolates, without any of this process's environment. */
export function launch(): ChildProcess {
  const child = launchConfined({ module: here('./child.ts'), reads, flags: own, errors: 'pipe', givesWay: true })
  passOnErrors(child)
  return child
}

/**
 * How many characters of error output are kept. Node's report about a process that cannot start is
 * shorter.
 */
const longestReport = 16_384

/**
 * Prints the error output of the process after it has ended. V8's report of a script that ran out
 * of memory is left out: it is a stack trace without names, and the caller of the script gets an
 * error anyway.
 */
function passOnErrors(child: ChildProcess): void {
  const { stderr } = child
  if (!stderr) return
  let said = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < longestReport) said += text
  })
  // This pipe (a socket) must not keep the runtime alive.
  ;(stderr as Socket).unref()
  child.once('close', () => {
    if (said !== '' && !/^#? ?(Fatal (error|JavaScript)|FATAL ERROR)/im.test(said)) process.stderr.write(said)
  })
}
