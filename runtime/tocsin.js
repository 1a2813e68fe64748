#!/usr/bin/env -S node --max-semi-space-size=32
// The program `tocsin`. This file and the next ones are JavaScript, because Node strips the types of what it loads before the cache is on. It would
// load its TypeScript parser for that, which takes a tenth of a start. From then on, the cache has everything without types.
import { complaintAbout } from './node-version.js'

const complaint = complaintAbout(process.versions.node)
if (complaint !== null) {
  console.error(complaint)
  process.exit(1)
}
// A server that is told to stop while it loads its code has begun nothing, so it ends at once. Without this, the signal would end it, or, in a
// container, do nothing. `runtime/app/process.ts` takes over before it opens anything.
if (['up', 'serve', 'worker'].includes(process.argv[2] ?? '')) for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(0))
await import('./compile-cache.js')
await import('./main.ts')
