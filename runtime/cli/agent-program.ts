import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle/index.ts'
import { version } from '../config/index.ts'

const entry = fileURLToPath(new URL('../relay/agent/program.ts', import.meta.url))
const kept = fileURLToPath(new URL('../../node_modules/.cache/tocsin-agent/agent.cjs', import.meta.url))

/**
 * Flags of V8 for a small process: it passes bytes on, and makes little garbage that lives long. Its heap has 8 MB. With a limit of 48 MB,
 * V8 frees buffers sooner. One compiler and no threads for it save memory; `--lite-mode` would save 5 MB more, and cost half of the speed.
 */
const small = ['--max-semi-space-size=1', '--max-old-space-size=48', '--no-maglev', '--single-threaded', '--disable-sigusr1']

/**
 * Writes the agent as one file of JavaScript, which needs Node 24 and nothing else.
 * @throws the file system's errors
 */
export async function writeAgent(file: string): Promise<void> {
  const made = await bundle({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    // Optional packages of the WebSocket, which speed up masking.
    external: ['bufferutil', 'utf-8-validate'],
    define: { TOCSIN_VERSION: JSON.stringify(version) },
    logLevel: 'silent',
  })
  const path = resolve(file)
  mkdirSync(dirname(path), { recursive: true })
  // Whole or not at all: another agent may start at the same time.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, made.outputFiles?.[0]?.text ?? '')
  renameSync(draft, path)
}

/**
 * Becomes the agent: replaces this process, which has loaded TypeScript and a bundler, by one that has not. If that is not possible, runs
 * the agent in this process.
 * @param args the arguments after `tocsin agent run`
 */
export async function becomeAgent(args: readonly string[]): Promise<void> {
  try {
    await writeAgent(kept)
    process.execve?.(process.execPath, [process.execPath, ...small, kept, ...args], process.env)
  } catch {
    // The folder cannot be written to, or the system cannot replace a process.
  }
  const { agentMain } = await import('../relay/agent/index.ts')
  await agentMain(args, version)
}
