import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadTestFile, openWorld, runTest } from '../../runtime/rehearsal/index.ts'

const root = new URL('../../', import.meta.url)

test('the tests in docs/guides/testing-playbooks.md pass', async () => {
  const guide = readFileSync(new URL('docs/guides/testing-playbooks.md', root), 'utf8')
  const shown = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
  expect(shown).toHaveLength(1)
  const world = await openWorld({ plugins: [new URL('plugins', root).pathname], playbooks: [new URL('playbooks', root).pathname] })
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  try {
    const file = join(folder, 'guide.test.yaml')
    writeFileSync(file, shown[0] ?? '')
    const loaded = await loadTestFile(world, file)
    expect(loaded.tests.length).toBeGreaterThan(3)
    for (const one of loaded.tests) expect((await runTest(world, loaded, one, () => 0)).problems, one.name).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
