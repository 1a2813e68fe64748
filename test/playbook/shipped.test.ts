import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { impactOf, lintFiles, lintWorld } from '../../runtime/playbook/authoring/index.ts'
import { playbookFiles, readPlaybook } from '../../runtime/playbook/index.ts'
import { Coverage, findPlaybook, loadTestFile, openWorld, runTest } from '../../runtime/rehearsal/index.ts'

/**
 * Checks the shipped playbooks: no finding, tests that take nearly every branch, and no more calls
 * than they declare.
 */
const root = new URL('../../', import.meta.url)
const folder = fileURLToPath(new URL('playbooks', root))
const world = await openWorld({ plugins: [fileURLToPath(new URL('plugins', root))], playbooks: [folder] })
const files = await Promise.all((await playbookFiles(folder)).map(async (file) => ({ file, text: await readPlaybook(file) })))

test('have no finding', () => {
  expect(lintFiles(files, lintWorld(world.plugins))).toEqual([])
})

describe.each(files.map(({ file, text }) => ({ file, name: /^playbook: (\S+)/m.exec(text)?.[1] ?? '' })))('$name', ({ file, name }) => {
  test('has tests that pass and take nine of ten branches', async () => {
    const loaded = await loadTestFile(world, file.replace(/\.yaml$/, '.test.yaml'))
    const coverage = new Coverage(loaded.playbook.plan)
    for (const one of loaded.tests) {
      const { name: called, problems, rehearsed } = await runTest(world, loaded, one, () => 0)
      expect({ called, problems: problems.map(({ field, message, differences }) => ({ field, message, differences })) }).toEqual({
        called,
        problems: [],
      })
      if (rehearsed !== null) coverage.add(rehearsed.trace)
    }
    expect(coverage.percent, coverage.missed.map(({ step, way }) => `${step}: ${way}`).join('\n')).toBeGreaterThanOrEqual(90)
  })

  test('an approve step covers every write, except archiving a browser detection', async () => {
    const { plan } = await findPlaybook(world, name, file)
    const { high, unbounded, skills } = impactOf(plan, world.lookup)
    const alone = skills.filter(({ impact, approval }) => impact !== 'read' && approval !== 'step').map(({ skill }) => skill)
    expect({ high, unbounded, alone }).toEqual({
      high: 0,
      unbounded: [],
      alone: alone.filter((skill) => skill === 'browser.archive_browser_detection'),
    })
  })
})
