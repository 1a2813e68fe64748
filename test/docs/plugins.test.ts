import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { callSkill, loadPluginFolder } from '../../runtime/plugin/index.ts'
import { type Fixture, replay } from '../plugins/fixtures.ts'

const guide = readFileSync(new URL('../../docs/guides/plugins.md', import.meta.url), 'utf8')

test('the plugin in docs/guides/plugins.md loads, and its example is what its fixture says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'))
  try {
    const files = [...guide.matchAll(/^`plugins\/(directory\/[\w./-]+)`[^`]*```(?:yaml|json)\n(.*?)```/gms)]
    expect(files).toHaveLength(3)
    for (const [, path = '', text = ''] of files) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const plugin = await loadPluginFolder(join(folder, 'directory'))
    const [skill] = plugin.skills.values()
    const [example] = skill?.document.examples ?? []
    if (!skill || !example) throw new Error('The guide has no skill with an example.')
    const fixture = JSON.parse(readFileSync(join(folder, `directory/fixtures/${example.fixture}.json`), 'utf8')) as Fixture
    const { host, sent } = replay(fixture)
    expect(await callSkill(plugin, skill, skill.checkInput(example.input).input, host)).toEqual({ ok: true, output: fixture.output })
    expect(sent).toEqual(fixture.exchanges.map(({ request }) => request))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
