import { type Bomb, runBomb } from '../bomb.ts'

const list = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at))
const named = <T>(count: number, value: (at: number) => T): Record<string, T> =>
  Object.fromEntries(list(count, (at) => [`k${at}`, value(at)] as const))

/** Makes a bomb with a script whose output is checked against a schema. */
function schemaBomb(name: string, value: string, schema: object, ...comes: readonly string[]): Bomb {
  const script = JSON.stringify(`export default () => ${value}`)
  const playbook = `steps:\n  - id: it\n    script: ${script}\n    timeout: 30s\n    output: ${JSON.stringify(schema)}\n`
  return runBomb(`schema: ${name}`, () => ({ playbook }), ...comes)
}

const wrong = 'failed script_output_invalid'
const refused = 'refused playbook_invalid script_output_invalid'
const fields = '(at) => Object.fromEntries(Array.from({ length: 100 }, (_, b) => ["k" + b, "x"]))'
const many = (item: string, count = 2_000): string => `Array.from({ length: ${count} }, ${item})`

/** Hostile schemas for the output of a script. */
export const schemas: readonly Bomb[] = [
  schemaBomb('a pattern that backtracks', many("() => 'a'.repeat(2000)"), { items: { pattern: '^(a+)+$' } }, wrong),
  schemaBomb('a pattern that nearly fits', "'a'.repeat(1000000) + '!'", { pattern: '^(a|aa|a*)*b' }, wrong),
  schemaBomb('unique items', many('(_, at) => ({ at })', 100_000), { uniqueItems: true }, wrong),
  schemaBomb('large unique items', many(`(_, at) => [at, (${fields})(at)]`), { uniqueItems: true }, wrong),
  schemaBomb('many pattern properties', many(fields), { items: { patternProperties: named(90, () => true) } }, wrong),
  schemaBomb('unevaluated properties', many(fields), { items: { anyOf: list(90, () => true), unevaluatedProperties: true } }, wrong),
  schemaBomb('anyOf with many constants', many('() => 94', 100_000), { items: { anyOf: list(95, (at) => ({ const: at })) } }, wrong),
  schemaBomb('anyOf with many types', many('() => 94', 100_000), { items: { anyOf: list(95, (at) => (at < 94 ? { type: 'string' } : {})) } }, wrong),
  schemaBomb(
    'definitions that double',
    '1',
    { $defs: named(40, (at) => (at === 39 ? {} : { allOf: list(2, () => ({ $ref: `#/$defs/k${at + 1}` })) })), $ref: '#/$defs/k0' },
    wrong,
  ),
  schemaBomb('circular references', '1', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, wrong),
  schemaBomb(
    'the most parts that are allowed',
    '({})',
    { properties: named(98, () => ({ type: 'object', additionalProperties: false })) },
    'completed',
  ),
  schemaBomb('too many parts', '({})', { properties: named(900, () => ({ type: 'string' })) }, refused),
  schemaBomb(
    'examples that refer to each other',
    '1',
    { examples: list(30, (at) => ({ allOf: list(2, () => ({ $ref: `#/examples/${at + 1}` })) })), $ref: '#/examples/0' },
    refused,
  ),
  schemaBomb('a megabyte checked as an e-mail address', "'a'.repeat(1000000)", { format: 'email' }, wrong),
  schemaBomb('long web addresses', many("() => 'http://' + 'a.'.repeat(1000)"), { items: { format: 'url' } }, wrong),
]
