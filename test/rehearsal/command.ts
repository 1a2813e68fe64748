import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ended } from '../support/processes/in-process.ts'

export const main = fileURLToPath(new URL('../../runtime/tocsin.js', import.meta.url))

/** Runs `tocsin <words>` in a process of its own. For tests of the exit code and the streams. */
export function tocsinProcess(...words: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.on('data', (part: Buffer) => {
      out += part
    })
    child.stderr.on('data', (part: Buffer) => {
      err += part
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? Number.NaN, out, err }))
  })
}

/** Makes a folder with playbooks. */
export function playbookFolder(files: Readonly<Record<string, string>>): {
  readonly folder: string
  write(name: string, text: string): void
  remove(): void
} {
  const folder = mkdtempSync(join(tmpdir(), 'playbooks-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
