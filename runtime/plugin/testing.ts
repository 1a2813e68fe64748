import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, Json } from '../domain/index.ts'
import { noTurns } from '../fairness/index.ts'
import type { SendResult } from './answer/send-result.ts'
import type { SkillAnswer } from './answer/skill-answer.ts'
import type { CallHost, HandlerHost } from './call/call-host.ts'
import { passingActs } from './handler/acts.ts'
import { createIsolates } from './isolate/pool.ts'
import type { SkillRequest } from './request/skill-request.ts'

/** The plugin of the grammar's examples, for the tests of this room. */
export const sampleFolder = join(import.meta.dirname, 'sample', 'directory')

/**
 * Copies the sample to a folder of its own, makes replacements in its files, and removes the copy
 * after `use`. Paths of files are relative to the plugin's folder.
 */
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

const stopped: Clock = {
  now: () => 1_700_000_000_000,
  sleep: () => Promise.resolve(),
  after: () => () => {},
  every: () => () => {},
}

const isolates = createIsolates({ calls: 4, processes: 2 }, stopped)

/**
 * Adds to the host of a declarative skill what a handler needs: isolates, a stopped clock, and
 * streams of what `send` answers.
 */
export function withHandling<Host extends CallHost>(host: Host): Host & HandlerHost {
  const { signal } = new AbortController()
  return {
    ...host,
    isolates,
    owner: 'acme',
    turns: noTurns,
    acts: passingActs(stopped, 30_000),
    clock: stopped,
    timeout: 30_000,
    patience: 60_000,
    signal,
    stream: async (request) => {
      const result = await host.send(request)
      if (result.effect !== 'done') return result
      const { status, headers, body } = result.answer
      if (status < 200 || status > 299) return { effect: 'done', refusal: result.answer }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { effect: 'done', answer: { status, headers, body: inParts(text), cancel: () => {}, clean: (json) => json } }
    },
    log: () => {},
  }
}

async function* inParts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

/** Returns a host that gives these results in order and records what was sent. */
export function hostOf(...results: readonly (SendResult | SkillAnswer)[]): HandlerHost & { readonly sent: SkillRequest[] } {
  const sent: SkillRequest[] = []
  return withHandling({
    key: 'key-1',
    fields: { base_url: 'https://tenant.example.com', region: 'eu' },
    sent,
    send: async (request) => {
      const result = results[sent.push(request) - 1]
      if (!result) throw new Error('one request too many')
      return 'effect' in result ? result : { effect: 'done', answer: result }
    },
  })
}
