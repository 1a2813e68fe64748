import { expect, test } from 'vitest'
import { createLogger } from './index.ts'

const key = 'tsk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'

/** Collects the lines that a logger writes. */
function capture() {
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

test('values under names of secrets are masked at any depth and in any spelling', () => {
  const { logger, lines, last } = capture()
  logger.info(
    {
      request: { headers: { cookie: 'a=canary1', Authorization: 'canary2', 'x-api-key': 'canary3', 'set-cookie': ['canary4'] } },
      list: [{ clientSecret: 'canary5', token: 'canary6' }],
      vault_key: 'canary7',
      use_base64_key: 'canary8',
      accessToken: 'canary9',
    },
    'hello',
  )
  expect(lines.join('')).not.toContain('canary')
  expect(last()).toMatchObject({ level: 'info', msg: 'hello', list: [{ clientSecret: '[redacted]' }] })
})

test('other values stay as they are', () => {
  const { logger, last } = capture()
  logger.info({ session: 's1', key_id: 'k1', tokens_found: 3, nested: { a: [1, null, 'x'] } })
  expect(last()).toMatchObject({ session: 's1', key_id: 'k1', tokens_found: 3, nested: { a: [1, null, 'x'] } })
})

test('API keys, cookies and bearer tokens are removed from texts', () => {
  const { logger, lines } = capture()
  logger.info(`posted with ${key}`)
  logger.info('header Cookie: a=1; Session=canary1; b=2 and Authorization: Bearer canary2canary2canary2')
  logger.info({ text: 'Session="canary3"' })
  expect(lines.join('')).not.toMatch(/canary|tsk_/)
  expect(lines.join('')).toContain('a=1')
})

test('errors keep name, code, message, stack and cause, and lose everything else', () => {
  const { logger, last, lines } = capture()
  const error = Object.assign(new Error('broken', { cause: new Error('below') }), { code: 'E1', command: { password: 'canary' } })
  logger.error({ err: error, more: { inner: error } }, 'failed')
  expect(last()).toMatchObject({ err: { message: 'broken', code: 'E1', cause: 'below' }, more: { inner: { message: 'broken' } } })
  expect(lines.join('')).not.toContain('canary')
})

test('circular and very deep values do not break the line', () => {
  const { logger, last } = capture()
  const circle: Record<string, unknown> = { name: 'a' }
  circle['self'] = circle
  let deep: Record<string, unknown> = {}
  for (let index = 0; index < 10_000; index++) deep = { deep }
  logger.info({ circle, deep })
  expect(last()).toMatchObject({ circle: { name: 'a', self: '[circular]' } })
})

test('lines below the level are not written', () => {
  const { logger, lines } = capture()
  logger.trace('not this')
  expect(lines).toEqual([])
})

test('a line has no control or invisible characters, and keeps its meaning', () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const name = 'ada\u009b2J\u202eadmin\u200b\u001b]0;x\u0007'
  logger.info({ name }, name)
  expect(lines.join('').trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ name, msg: name })
})
