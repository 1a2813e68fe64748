import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadPluginFolder } from '../../runtime/plugin/index.ts'

const guide = readFileSync(new URL('../../docs/guides/plugins.md', import.meta.url), 'utf8')

test('the plugin in docs/guides/plugins.md loads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  try {
    const files = [...guide.matchAll(/`plugins\/(directory\/[\w./]+\.yaml)`:\n\n```yaml\n(.*?)```/gs)]
    expect(files).toHaveLength(2)
    for (const [, path = '', text = ''] of files) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const plugin = await loadPluginFolder(join(folder, 'directory'))
    expect([...plugin.skills.keys()]).toEqual(['get_user'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
