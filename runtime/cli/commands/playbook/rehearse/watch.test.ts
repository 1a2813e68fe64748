import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../config/index.ts'
import { watchFolders } from './watch.ts'

test('reports a change in a folder, and ignores a folder that does not exist', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-watch-'))
  const told = Promise.withResolvers<void>()
  const stop = watchFolders([folder, join(folder, 'none')], systemClock, async () => told.resolve())
  writeFileSync(join(folder, 'a.yaml'), 'a')
  await expect(told.promise).resolves.toBeUndefined()
  stop()
  rmSync(folder, { recursive: true })
})
