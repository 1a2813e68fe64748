import { beforeAll, expect, test } from 'vitest'
import type { Clock, Connection } from '../../domain/index.ts'
import { loadPluginFolder, type Plugin, type Skill } from '../../plugin/index.ts'
import { createLogger } from '../../telemetry/index.ts'
import { CallLog } from './call-log.ts'

let plugin: Plugin
let skill: Skill
beforeAll(async () => {
  plugin = await loadPluginFolder('plugins/browser')
  const found = plugin.skills.get('list_browser_accounts')
  if (!found) throw new Error('no skill')
  skill = found
})

const connection = { id: 'c', instance: 'main', organization: 'acme' } as unknown as Connection

function listening() {
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  return { log: new CallLog(logger, { now: () => 0 } as unknown as Clock), lines }
}

test('an answer that does not match its schema is logged once for each field, however often it comes', () => {
  const { log, lines } = listening()
  for (let call = 0; call < 100; call += 1) log.odd(connection, plugin, skill, ['accounts.*.a must be string', 'accounts.*.b is missing'])
  log.odd(connection, plugin, skill, ['accounts.*.a must be string', 'accounts.*.c is missing'])
  expect(lines).toMatchObject([
    {
      level: 'warn',
      organization: 'acme',
      connection: 'main',
      skill: 'browser.list_browser_accounts',
      warnings: ['accounts.*.a must be string', 'accounts.*.b is missing'],
    },
    { warnings: ['accounts.*.c is missing'] },
  ])
})
