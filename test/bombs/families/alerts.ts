import { type Bomb, requestBomb, runBomb } from '../bomb.ts'
import { alertOf, tenants } from '../range.ts'
import { fieldsOf, listOf, wordsOf } from './parts.ts'

/** The number of characters that fill the body of an alert. */
const most = 900_000

const contents: readonly (readonly [name: string, content: () => string])[] = [
  ['empty lists', () => listOf('[]', most)],
  ['fields', () => fieldsOf(60_000)],
  ['fields within the bound', () => fieldsOf(19_000)],
  ['nested lists', () => `${'['.repeat(450_000)}${']'.repeat(450_000)}`],
  ['different words', () => wordsOf(100_000)],
  ['the same word', () => 'word '.repeat(most / 5)],
  ['digits', () => `{"n":${'7'.repeat(most)}}`],
  ['numbers that no double holds', () => listOf('12345678901234567890', most)],
  ['characters that normalize to eighteen', () => '\ufdfa'.repeat(most / 3)],
  ['combining marks on one letter', () => `a${'\u0301'.repeat(most / 2)}`],
  ['letters without a space', () => '漢字'.repeat(most / 6)],
  ['quotes', () => '"'.repeat(most / 2)],
  ['addresses', () => Array.from({ length: 40_000 }, (_, at) => `10.${at >> 8}.${at & 255}.1`).join(' ')],
]

const body = (type: string | null, content: string): string => JSON.stringify(alertOf(tenants.attacker, type, content))

export const alerts: readonly Bomb[] = [
  ...contents.map(([name, content]) =>
    requestBomb(`alert: ${name}`, () => ({ method: 'POST', path: '/platformapi/alerts', body: body(null, content()) }), 'answered'),
  ),
  ...contents.map(([name, content]) =>
    runBomb(
      `investigated alert: ${name}`,
      () => ({ playbook: "case: { title: '{{ alert.alert_name }}' }\nsteps:\n  - id: it\n    case: { note: x }\n", content: content() }),
      'completed',
    ),
  ),
]
