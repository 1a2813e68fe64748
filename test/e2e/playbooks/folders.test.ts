import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { backendsAtHand, type Installation, newInstallation } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

const text = (note: string, type = 'theft'): string =>
  `format: 1\nplaybook: thief\nalert_type: ${type}\nsteps:\n  - id: say\n    case: { note: ${note} }\n`

describe.each(backendsAtHand('playbook folders'))('playbook folders of running processes, on %s', (backends) => {
  let installation: Installation
  let folder: string
  let processes: TocsinProcess[]
  let admin: Target
  const log: string[] = []

  beforeAll(async () => {
    installation = newInstallation(backends)
    folder = join(installation.directory, 'playbooks')
    const plugins = join(installation.directory, 'plugins')
    for (const made of [folder, plugins]) mkdirSync(made)
    write('thief.yaml', text('first'))
    const environment = { ...installation.environment, TOCSIN_PLAYBOOKS: folder, TOCSIN_PLUGINS: plugins, TOCSIN_LOG_LEVEL: 'info' }
    processes = []
    for (const command of backends === 'embedded' ? (['up'] as const) : (['serve', 'worker'] as const))
      processes.push(await spawnTocsin(command, environment, log))
    admin = { url: processes[0]?.url ?? '', key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
  })
  afterAll(async () => {
    for (const each of processes) await each.stop()
    await installation.remove()
  })

  /** Writes a file as editors do: under another name first, then renamed. */
  function write(name: string, content: string): void {
    writeFileSync(join(folder, `.${name}.new`), content)
    renameSync(join(folder, `.${name}.new`), join(folder, name))
  }

  const shown = (type = 'theft'): Promise<Answer> => request(admin, 'GET', `/platformapi/playbooks/${type}`)
  const activeText = (type: string, wanted: string) => until(async () => (await shown(type).catch(() => ({ text: '' }))).text === wanted)
  const logged = (wanted: RegExp) => until(async () => log.find((line) => wanted.test(line)))

  test('changed and new files take effect without a restart, and only once even if several processes watch', async () => {
    write('thief.yaml', text('second'))
    write('fraud.yaml', text('new', 'fraud').replace('thief', 'fraud'))
    await activeText('theft', text('second'))
    await activeText('fraud', text('new', 'fraud').replace('thief', 'fraud'))
    const body = { alert_content: '{}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'theft' }
    // A process may use a playbook that it read up to a second ago.
    await until(async () => {
      const posted = await request(admin, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
      const alert = await request(admin, 'GET', `/platformapi/alerts/${posted['alert_id']}`)
      const found = await request(admin, 'GET', `/platformapi/cases/${alert['case_id']}`)
      return JSON.stringify(found).includes('second')
    })
    const history = (await request(admin, 'GET', '/platformapi/playbooks/theft/history'))['items'] as Answer[]
    expect(history.map(({ revision, source }) => [revision, source])).toEqual([
      [2, 'folder'],
      [1, 'folder'],
    ])
  })

  test('a file with a mistake replaces nothing, and the log names line and column; once fixed, it takes effect', async () => {
    write('thief.yaml', text('third').replace('case:', 'cse:'))
    const line = await logged(/could not import a playbook/)
    expect(JSON.parse(line)).toMatchObject({
      file: join(folder, 'thief.yaml'),
      code: 'playbook_invalid',
      places: [{ line: 6, column: 5, code: 'step_kind_unknown' }],
    })
    expect((await shown())['text']).toBe(text('second'))
    write('thief.yaml', text('fourth'))
    await activeText('theft', text('fourth'))
  })

  test('the playbook of a deleted file stays active, and the log says so', async () => {
    rmSync(join(folder, 'thief.yaml'))
    expect(JSON.parse(await logged(/a playbook file is gone/))).toMatchObject({ file: join(folder, 'thief.yaml') })
    expect((await shown())['text']).toBe(text('fourth'))
  })

  test('a playbook that somebody edited in the store stays', async () => {
    await request(admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text: text('by hand') }] })
    write('thief.yaml', text('fifth'))
    await logged(/this playbook was edited in the store/)
    expect((await shown())['text']).toBe(text('by hand'))
  })
})
