/** The first file of each of the store's threads. A static import would be resolved before the first line has run. */
import '../../../own-imports.js'

await import('./thread-work.ts')
