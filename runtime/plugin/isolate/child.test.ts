import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { FromIsolates, ToIsolates } from './protocol.ts'

test('it dies when its parent is gone, even if a handler is in an endless loop', async () => {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: ['--no-node-snapshot', '--disable-warning=SecurityWarning', '--disable-warning=ExperimentalWarning'],
  })
  const messages = on(child, 'message')
  const left: FromIsolates[] = []
  const heard = async (): Promise<FromIsolates | undefined> => {
    while (left.length === 0) left.push(...((await messages.next()).value as [readonly FromIsolates[]])[0])
    return left.shift()
  }
  try {
    const script = "var __tocsin_handler = { default: async ({ log }) => { log.info('begun'); for (;;); } }"
    const start = JSON.stringify({ input: {}, fields: {}, call: { key: 'key', now: 0 } })
    const limits = { text: { characters: 1_000, values: 100, names: 100 }, asks: 10 }
    const message: ToIsolates = { kind: 'run', call: 1, digest: 'loop', script, memory: 64, start, limits }
    child.send(message)
    expect(await heard()).toMatchObject({ kind: 'begun', call: 1 })
    expect(await heard()).toMatchObject({ kind: 'ask', op: 'log' })
    // By the time this second call has ended, the first one is in its loop.
    child.send({ ...message, call: 2, digest: 'end', script: 'var __tocsin_handler = { default: async () => 1 }' } satisfies ToIsolates)
    expect(await heard()).toMatchObject({ kind: 'begun', call: 2 })
    expect(await heard()).toMatchObject({ kind: 'ended', call: 2, end: { kind: 'finished' } })
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  } finally {
    child.kill('SIGKILL')
  }
})
