// Comes first, because V8 takes from the cache only what it has stored there with the same flags.
import './heap.js'
import './own-imports.js'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Node runs the code that it reads from this cache. So it is beside the packages, where only people who may change the code can write (decision 29).
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tocsin', import.meta.url)))
