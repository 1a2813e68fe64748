import { existsSync, type FSWatcher, watch } from 'node:fs'
import type { Clock, Millis } from '../../../../domain/index.ts'

/** Editors write a file in several steps. Changes within this time count as one. */
const settling: Millis = 80

/** Calls `changed` after a change in the folders, never twice at a time. Ignores a folder that does not exist. Returns a function that stops it. */
export function watchFolders(folders: readonly string[], clock: Clock, changed: () => Promise<void>): () => void {
  let cancel: (() => void) | null = null
  let working = false
  let again = false
  const run = async (): Promise<void> => {
    cancel = null
    if (working) {
      again = true
      return
    }
    working = true
    try {
      await changed()
    } finally {
      working = false
      if (again) {
        again = false
        void run()
      }
    }
  }
  const watchers = [...new Set(folders)]
    .filter((folder) => existsSync(folder))
    .map(
      (folder): FSWatcher =>
        watch(folder, { recursive: true }, () => {
          cancel ??= clock.after(settling, () => void run())
        }),
    )
  return () => {
    cancel?.()
    for (const watcher of watchers) watcher.close()
  }
}
