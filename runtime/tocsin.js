#!/usr/bin/env -S node --max-semi-space-size=16
// The program `tocsin`. This file and the next one are JavaScript, because Node strips the types of what it loads before the cache is on. It would
// load its TypeScript parser for that, which takes a tenth of a start. From then on, the cache has everything without types.
import './compile-cache.js'

await import('./main.ts')
