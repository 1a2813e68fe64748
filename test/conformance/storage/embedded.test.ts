import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '../../../runtime/storage/embedded/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import type { Opened } from './harness.ts'
import { storageConformance } from './suite.ts'

storageConformance({
  name: 'embedded',
  async open(): Promise<Opened> {
    const directory = await mkdtemp(join(tmpdir(), 'tocsin-storage-'))
    const clock = new ManualClock()
    let store = await openEmbeddedStore({ directory, clock })
    return {
      get store() {
        return store
      },
      // Only one process owns the file.
      second: async () => null,
      async reopen() {
        await store.close()
        store = await openEmbeddedStore({ directory, clock })
      },
      async pass(duration) {
        // The store looks at its files each second, and a quota lasts for weeks.
        clock.leap(duration)
      },
      async close() {
        await store.close()
        await rm(directory, { recursive: true })
      },
    }
  },
})
