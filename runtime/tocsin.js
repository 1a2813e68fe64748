#!/usr/bin/env -S node --max-semi-space-size=32
// The program `tocsin`. This file and the next ones are JavaScript, because Node strips the types of what it loads before the cache is on. It would
// load its TypeScript parser for that, which takes a tenth of a start. From then on, the cache has everything without types.
import { complaintAbout } from './node-version.js'

const complaint = complaintAbout(process.versions.node)
if (complaint !== null) {
  console.error(complaint)
  process.exit(1)
}
await import('./compile-cache.js')
await import('./main.ts')
