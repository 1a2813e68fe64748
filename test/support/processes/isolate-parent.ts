import { readFileSync } from 'node:fs'
import { systemClock } from '../../../runtime/config/index.ts'
import { asId, type Digest } from '../../../runtime/domain/index.ts'
import { createIsolates } from '../../../runtime/plugin/index.ts'

/** A process that runs a handler whose request is never answered. Prints the id of the isolate process. */
const isolates = createIsolates({ calls: 1, processes: 1 }, systemClock)
await isolates.run({
  owner: 'acme',
  bundle: { digest: asId<Digest>('d'), text: "var __tocsin_handler = { default: ({ http }) => http.get('/x') }" },
  memory: 64 * 1024 * 1024,
  start: JSON.stringify({ input: {}, fields: {}, call: { key: 'k', now: 0 } }),
  limits: { text: { characters: 1_000, values: 100, names: 100 }, asks: 1 },
  signal: new AbortController().signal,
  begun: () => {},
  ask: () => {
    console.log(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim())
    return new Promise(() => {})
  },
})
