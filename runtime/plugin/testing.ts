import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../domain/index.ts'
import type { CallHost, SendResult, SkillAnswer, SkillRequest } from './types.ts'

/** The plugin of the grammar's examples; for the tests of this room. */
export const sampleFolder = join(import.meta.dirname, 'sample', 'directory')

/** A copy of the sample in a folder of its own, with replacements in its files; the file is relative to the plugin's folder. */
export async function withSample<T>(
  changes: readonly (readonly [file: string, from: string, to: string])[],
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const parent = await mkdtemp(join(tmpdir(), 'plugin-'))
  const folder = join(parent, 'directory')
  try {
    await cp(sampleFolder, folder, { recursive: true })
    for (const [file, from, to] of changes) {
      const text = await readFile(join(folder, file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      await writeFile(join(folder, file), text.replace(from, to))
    }
    return await use(folder)
  } finally {
    await rm(parent, { recursive: true })
  }
}

export function answerOf(status: number, body: Json, headers: Readonly<Record<string, string>> = {}): SkillAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** A host that gives these results in turn and keeps what was sent. */
export function hostOf(...results: readonly (SendResult | SkillAnswer)[]): CallHost & { readonly sent: SkillRequest[] } {
  const sent: SkillRequest[] = []
  return {
    key: 'key-1',
    fields: { base_url: 'https://tenant.example.com', region: 'eu' },
    sent,
    send: async (request) => {
      const result = results[sent.push(request) - 1]
      if (!result) throw new Error('one request too many')
      return 'effect' in result ? result : { effect: 'done', answer: result }
    },
  }
}
