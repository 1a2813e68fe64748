import { type Bomb, lintBomb, requestBomb } from '../bomb.ts'
import { tenants } from '../range.ts'

/** Returns a playbook with these steps. */
const playbook = (steps: string): string => `format: 1\nplaybook: text\nalert_type: text\nsteps:\n${steps}`
const note = (text: string): string => `  - { id: it, case: { note: ${JSON.stringify(text)} } }\n`
const script = (text: string, id = 'it'): string => `  - { id: ${id}, script: ${JSON.stringify(text)} }\n`
const many = (count: number, one: (index: number) => string, between = ''): string => Array.from({ length: count }, (_, at) => one(at)).join(between)
const read = (path: string): object => ({ var: [path, ''] })
const condition = (rule: object): string => `  - { id: it, if: ${JSON.stringify(rule)}, case: { note: x } }\n`

/**
 * Texts for which a careless lint takes quadratic time. A text that takes too much to check is
 * refused, and delays nobody.
 */
const linted: readonly (readonly [name: string, text: () => string])[] = [
  ['text that is almost an address', () => playbook(note('a.'.repeat(200_000)))],
  ['text that is almost a token', () => playbook(note('eyJaaaaaaaaaaa-'.repeat(25_000)))],
  ['the word before a password', () => playbook(note('password '.repeat(40_000)))],
  ['seven scripts of unclosed comments', () => playbook(many(7, (at) => script(`export default () => ({ a: "${'/*'.repeat(32_000)}" })`, `s${at}`)))],
  ['a script of spaces', () => playbook(script(`//export default function${' '.repeat(65_000)}`))],
  ['a script of brackets', () => playbook(script(`export default () => ({ a: ${'('.repeat(30_000)}1${')'.repeat(30_000)} })`))],
  ['a script of templates in templates', () => playbook(script(`export default () => ({ a: ${'`${'.repeat(12_000)}1${'}`'.repeat(12_000)} })`))],
  [
    'a condition of 2,400 parts',
    () => playbook(condition({ and: Array.from({ length: 2_400 }, (_, at) => ({ '==': [read(`alert.content.a${at}`), 'x'] })) })),
  ],
  [
    '2,000 steps that name missing steps',
    () => playbook(many(2_000, (at) => `  - { id: number_${at}, case: { note: '{{ steps.numbr_${at}.status }}' } }\n`)),
  ],
  [
    'a list that contains itself twice, 400 times',
    () => playbook(many(400, (at) => `  - { id: s${at}, set: { a: ${at === 0 ? '[1]' : "['{{ vars.a }}', '{{ vars.a }}']"} } }\n`)),
  ],
  [
    'aliases of aliases',
    () => `a: &a [1,2,3,4,5,6,7,8,9]\n${many(8, (at) => `k${at}: &k${at} [${many(9, () => (at === 0 ? '*a' : `*k${at - 1}`), ',')}]\n`)}`,
  ],
  ['a mapping that is merged 900 times', () => `a: &a { ${many(900, (at) => `k${at}: 1`, ', ')} }\n${many(900, (at) => `m${at}: { <<: *a }\n`)}`],
  ['19,000 documents', () => '---\na: 1\n'.repeat(9_500)],
  ['unclosed brackets', () => '['.repeat(200_000)],
  ['an unclosed quotation', () => `a: "${'\\u0041'.repeat(80_000)}`],
  ['a template that opens 45,000 times', () => playbook(note('{{'.repeat(45_000)))],
]

/** Makes a bomb that activates the same text, because activation checks it too. */
function activated(name: string, text: () => string, ...comes: readonly string[]): Bomb {
  const body = (): string => JSON.stringify({ playbooks: [{ text: text() }], organization_code: tenants.attacker, check: true })
  return requestBomb(`text, activated: ${name}`, () => ({ method: 'POST', path: '/platformapi/playbooks', body: body() }), ...comes)
}

export const texts: readonly Bomb[] = [
  ...linted.map(([name, text]) =>
    lintBomb(`text, linted: ${name}`, text, 'answered', 'refused check_timeout', 'refused check_memory', 'refused overloaded'),
  ),
  activated(
    '5,000 alert types',
    () => `format: 1\nplaybook: text\nalert_type: [${many(4_990, (at) => `t${at}`, ', ')}]\nsteps:\n${note('x')}`,
    'refused playbooks_exceeded',
    'refused overloaded',
  ),
  activated(
    '2,900 steps with the same id',
    () => playbook('  - { id: same, case: { note: x } }\n'.repeat(2_900)),
    'refused playbook_invalid step_id_taken',
    'refused overloaded',
  ),
]
