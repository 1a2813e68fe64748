import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import {
  any,
  boolean,
  type Environment,
  foreign,
  integer,
  listOf,
  nullable,
  objectOf,
  oneOf,
  optional,
  text,
  textOf,
  typeOfCondition,
} from './index.ts'
import { told, user, world } from './testing.ts'

const environment: Environment = world({
  alert: objectOf({ content: foreign }),
  inputs: objectOf({
    user: textOf({ format: 'email' }),
    ip: optional(textOf({ format: 'ip' })),
    limit: integer,
    flag: boolean,
    word: oneOf('yes', 'no'),
    maybe: nullable(text),
  }),
  steps: objectOf({ user: objectOf({ output: user }), perhaps: objectOf({ output: optional(user) }) }),
  vars: objectOf({ contained: boolean, tags: listOf(text), numbers: listOf(integer), none: listOf(any), roles: nullable(listOf(text)) }),
  run: objectOf({ now: integer }),
})

const v = (path: string, ...fallback: readonly Json[]): Json => ({ var: fallback.length === 0 ? path : [path, ...fallback] })
const problems = (rule: Json): readonly string[] => told(typeOfCondition(rule, environment))
const status = v('steps.user.output.status')
const limit = v('inputs.limit')

describe('a problem', () => {
  it.each<[Json, string]>([
    [
      { '==': [limit, '1234567890123456'] },
      'types_never_equal ==@0: `==` compares a number (`inputs.limit`) with a text, which is an error; write 1234567890123456 without quotes',
    ],
    // Paths.
    [
      { '==': [v('steps.user.output.staus'), 'ACTIVE'] },
      'unknown_member ==.0.var@18: `steps.user.output` has no member `staus`; did you mean `status`?',
    ],
    [
      { '>': [v('steps.user.output.devices.size'), 1] },
      'no_members >.0.var@26: `steps.user.output.devices` is a list of object (id, version, model, seen), which has no member `size`; read its items with an index, or `some`, `all`, `map`',
    ],
    [{ '==': [v('inputs.user.name'), 'x'] }, 'no_members ==.0.var@12: `inputs.user` is a text (email), which has no member `name`'],
    [
      { '==': [v('inputs.ip'), 'x'] },
      'value_may_be_missing ==.0.var@0: `inputs.ip` (text (ip)) may be missing, which is an error; give it a default: {"var": ["inputs.ip", null]}',
    ],
    [
      { '!!': [v('steps.perhaps.output.enabled')] },
      'value_may_be_missing !!.0.var@0: `steps.perhaps.output.enabled` (boolean) may be missing, which is an error; give it a default: {"var": ["steps.perhaps.output.enabled", null]}',
    ],
    [
      { '==': [v('alert.content.a'), 'x'] },
      'value_may_be_missing ==.0.var@0: `alert.content.a` may be missing, which is an error; give it a default: {"var": ["alert.content.a", null]}',
    ],
    [
      { '==': [v('steps.user.output.more.level'), 1] },
      'value_may_be_missing ==.0.var@0: `steps.user.output.more.level` (integer) may be missing, which is an error; give it a default: {"var": ["steps.user.output.more.level", null]}',
    ],
    [
      { '>': [v('steps.user.output.score', ''), 1] },
      'logic_pitfall >.0.var.1@0: the default is a text, and `steps.user.output.score` a number: a comparison that suits one fails with the other',
    ],
    // Equality.
    [
      { '==': [limit, '5'] },
      'types_never_equal ==@0: `==` compares a number (`inputs.limit`) with a text, which is an error; write 5 without quotes',
    ],
    [
      { '!=': [v('inputs.flag'), 'true'] },
      'types_never_equal !=@0: `!=` compares a boolean (`inputs.flag`) with a text, which is an error; write true without quotes',
    ],
    [
      { '==': ['5', limit] },
      'types_never_equal ==@0: `==` compares a number (`inputs.limit`) with a text, which is an error; write 5 without quotes',
    ],
    [
      { '==': [v('inputs.user'), 5] },
      'types_never_equal ==@0: `==` compares a text (`inputs.user`) with a number, which is an error; write "5" with quotes',
    ],
    [
      { '==': [status, ['ACTIVE', 'PENDING']] },
      'types_never_equal ==@0: `==` compares a text (`steps.user.output.status`) with a list, which is an error; to ask whether a value is one of several, use `in`',
    ],
    [
      { '==': [v('vars.tags'), 'x'] },
      'types_never_equal ==@0: `==` compares a list (`vars.tags`) with a text, which is an error; to ask whether a list holds a value, use `in`',
    ],
    [
      { '==': [{ age: v('run.now') }, '2h'] },
      'types_never_equal ==@0: `==` compares a number with a text, which is an error; 2h is 7200000 milliseconds',
    ],
    [
      { '==': [status, 'SUPENDED'] },
      'value_never_equal ==.1@0: this is never true: the value is "ACTIVE" or "SUSPENDED" or "PENDING", and never "SUPENDED"; did you mean `SUSPENDED`?',
    ],
    [
      { '!=': ['SUPENDED', status] },
      'value_never_equal !=.0@0: this is always true: the value is "ACTIVE" or "SUSPENDED" or "PENDING", and never "SUPENDED"; did you mean `SUSPENDED`?',
    ],
    [
      { '==': [{ lower: status }, 'SUSPENDED'] },
      'value_never_equal ==.1@0: this is never true: the value is "active" or "suspended" or "pending", and never "SUSPENDED"; did you mean `suspended`?',
    ],
    [
      { '==': [v('inputs.user'), null] },
      'comparison_constant ==.1@0: this is never true: `inputs.user` is never null; if it may be missing, give it a default: {"var": [path, null]}',
    ],
    [
      { '==': [v('vars.tags'), ['a', 'b']] },
      'logic_pitfall ==@0: `==` of lists compares item by item, in their order; to ask whether a value is one of several, use `in`',
    ],
    [
      { '==': [status, { or: ['ACTIVE', 'PENDING'] }] },
      'logic_pitfall ==.1.or.0@0: `or` stops here, because "ACTIVE" always counts as true; to compare with several values, use `in` with a list',
    ],
    // Order.
    [{ '>': [v('inputs.flag'), 1] }, 'operand_type >.0@0: `>` needs two numbers or two texts, not a boolean (`inputs.flag`)'],
    [{ '>': [limit, '5'] }, 'operand_type >@0: `>` needs two numbers or two texts, not a number (`inputs.limit`) and a text'],
    [{ '<': [1, limit, 'x'] }, 'operand_type <@0: `<` needs two numbers or two texts, not a number (`inputs.limit`) and a text'],
    [
      { '>': [{ age: v('run.now') }, '1h'] },
      'operand_type >@0: `>` needs two numbers or two texts, not a number and a text; 1h is 3600000 milliseconds',
    ],
    [
      { '>': [{ age: v('run.now') }, 24] },
      'logic_pitfall >.1@0: `age` is in milliseconds, and 24 of them are less than a second; an hour is 3600000',
    ],
    [
      { '>': [v('steps.user.output.lastLogin', null), 5] },
      'value_may_be_null >.0@0: `steps.user.output.lastLogin` (integer or null) may be null, and `>` needs two numbers or two texts; use `and` to check first that it is not null',
    ],
    // Kinds.
    [{ '==': [{ '+': [limit, '1'] }, 2] }, 'operand_type ==.0.+.1@0: `+` needs numbers, not "1"'],
    [
      { '==': [{ cat: [v('vars.tags'), 'x'] }, 'x'] },
      'operand_type ==.0.cat.0@0: `cat` needs texts, numbers and booleans, not a list of text (`vars.tags`)',
    ],
    [{ starts_with: [limit, 'x'] }, 'operand_type starts_with.0@0: `starts_with` needs a text, not an integer (`inputs.limit`)'],
    [{ starts_with: [status, 'X'] }, 'value_never_equal starts_with.1@0: this is never true: the value is "ACTIVE" or "SUSPENDED" or "PENDING"'],
    [{ matches: [status, '^[a-z]+$'] }, 'value_never_equal matches.1@0: this is never true: the value is "ACTIVE" or "SUSPENDED" or "PENDING"'],
    [
      { matches: ['^a', v('inputs.user')] },
      'arguments_swapped matches@0: `matches` takes the text first and then the pattern; these seem to be swapped',
    ],
    [{ matches: [v('inputs.user'), 5] }, 'operand_type matches.1@0: `matches` needs a pattern: a text, not 5'],
    [{ '==': [{ length: limit }, 2] }, 'operand_type ==.0.length@0: `length` needs a list, a text or an object, not an integer (`inputs.limit`)'],
    [{ in: ['a', { keys: v('inputs.user') }] }, 'operand_type in.1.keys@0: `keys` needs an object, not a text (email) (`inputs.user`)'],
    [{ in: ['a', { unique: v('inputs.user') }] }, 'operand_type in.1.unique@0: `unique` needs a list, not a text (email) (`inputs.user`)'],
    [{ '==': [{ substr: [v('inputs.user'), '0'] }, 'a'] }, 'operand_type ==.0.substr.1@0: `substr` needs a number, not "0"'],
    [
      { '==': [{ lower: v('inputs.maybe') }, 'a'] },
      'value_may_be_null ==.0.lower@0: `inputs.maybe` (text or null) may be null, and `lower` needs a text; use `and` to check first that it is not null',
    ],
    // in
    [
      { in: [status, ['ACTIVE', 'LOCKED']] },
      'value_never_equal in.1.1@0: "LOCKED" is never found: the value is "ACTIVE" or "SUSPENDED" or "PENDING"',
    ],
    [{ in: [v('vars.tags'), 'x'] }, 'operand_type in.0@0: `in` takes the value first and then the list to search; these are swapped'],
    [
      { in: [v('vars.tags'), limit] },
      'operand_type in.1@0: `in` takes the value first and then the list or text to search; the second is an integer',
    ],
    [{ in: [limit, v('vars.tags')] }, 'value_never_equal in.0@0: this is never true: a text never equals a number'],
    [
      { in: [v('inputs.user'), '@example.com'] },
      'arguments_swapped in@0: this asks whether the value is a part of "@example.com"; to look for that text in the value, swap the two',
    ],
    [{ in: [limit, 'abc'] }, 'operand_type in.0@0: `in` needs a text to look for in a text, not an integer (`inputs.limit`)'],
    // Network and time.
    [
      { cidr_contains: [v('inputs.ip', '0.0.0.0'), '10.0.0.0/8'] },
      'operand_type cidr_contains@0: `cidr_contains` takes the network (or a list of them) first and then the address; these are swapped',
    ],
    [
      { cidr_contains: ['10.0.0.0', v('inputs.ip', '0.0.0.0')] },
      'operand_type cidr_contains.0@0: `cidr_contains` needs a network such as 10.0.0.0/8, not `10.0.0.0`',
    ],
    [
      { cidr_contains: [['10.0.0.0/8', '10.0.0.0/64'], v('inputs.ip', '0.0.0.0')] },
      'operand_type cidr_contains.0.1@0: `cidr_contains` needs a network such as 10.0.0.0/8, not `10.0.0.0/64`',
    ],
    [{ cidr_contains: ['10.0.0.0/8', v('inputs.user')] }, 'operand_type cidr_contains.1@0: `cidr_contains` needs an IP address, not a text (email)'],
    [{ is_private_ip: [v('inputs.user')] }, 'operand_type is_private_ip.0@0: `is_private_ip` needs an IP address, not a text (email)'],
    [{ is_private_ip: ['10.0.0'] }, 'operand_type is_private_ip.0@0: `is_private_ip` needs an IP address, not `10.0.0`'],
    [
      { '==': [{ domain_of: limit }, 'x'] },
      'operand_type ==.0.domain_of@0: `domain_of` needs an e-mail address, a URL or a host name, not an integer (`inputs.limit`)',
    ],
    [
      { before: [v('inputs.user'), v('run.now')] },
      'operand_type before.0@0: `before` needs a time: epoch milliseconds or an ISO 8601 text, not a text (email)',
    ],
    [{ after: [v('run.now'), 'yesterday'] }, 'operand_type after.1@0: `after` needs a time: epoch milliseconds or an ISO 8601 text, not "yesterday"'],
    [
      { before: [v('run.now'), '24h'] },
      'operand_type before.1@0: `before` needs a time: epoch milliseconds or an ISO 8601 text, not "24h"; 24h is 86400000 milliseconds; to ask how long ago a time was, compare its `age`',
    ],
    [
      { '>': [{ age: v('inputs.flag') }, 3_600_000] },
      'operand_type >.0.age@0: `age` needs a time: epoch milliseconds or an ISO 8601 text, not a boolean (`inputs.flag`)',
    ],
    // Loops.
    [
      { some: [v('steps.user.output.devices'), { '==': [v('idd'), 'x'] }] },
      'unknown_member some.1.==.0.var@0: `the item` has no member `idd`; did you mean `id`? (inside a loop `var` reads from the item)',
    ],
    [
      { all: [v('steps.user.output.devices'), { '==': [v('inputs.user'), 'x'] }] },
      'undeclared_member all.1.==.0.var@0: nothing says that `the item` has a member `inputs`; its members are id, version, model, seen (inside a loop `var` reads from the item)',
    ],
    [{ none: [limit, true] }, 'operand_type none.0@0: `none` needs a list, not an integer'],
    [
      { some: [v('vars.roles'), { '==': [v(''), 'x'] }] },
      'value_may_be_null some.0@0: the list (list of text or null) may be null, and `some` needs a list: {"or": [{"var": …}, []]}',
    ],
    [{ some: [v('vars.tags'), { '>': [v(''), 1] }] }, 'operand_type some.1.>@0: `>` needs two numbers or two texts, not a text and a number'],
    [
      { some: [{ map: [v('steps.user.output.devices'), v('seen', 0)] }, { '==': [v(''), 'x'] }] },
      'types_never_equal some.1.==@0: `==` compares a number with a text, which is an error',
    ],
    [
      { '>': [{ reduce: [v('vars.numbers'), { '+': [v('current'), v('acumulator')] }, 0] }, 3] },
      'unknown_member >.0.reduce.1.+.1.var@0: `the item` has no member `acumulator`; did you mean `accumulator`? (inside a loop `var` reads from the item)',
    ],
    // Truth.
    [{ '!': [['a', 'b']] }, 'logic_pitfall !.0@0: `!` of a constant list asks whether it is empty; for its items use `some`, `all` or `none`'],
    [
      { '!!': [v('inputs.word')] },
      'logic_pitfall !!.0@0: every text that is not empty counts as true, "no" too; compare it instead (the value is "yes" or "no")',
    ],
    [{ '!!': [status] }, 'condition_constant @0: this condition is always true'],
    [
      { or: [{ '==': [limit, 1] }, 'x'] },
      'logic_pitfall or.1@0: "x" by itself counts as true, so this `or` is always true; to compare with several values, use `in` with a list',
    ],
    [
      { and: [{ or: [{ '==': [limit, 1] }, 2] }, { '==': [limit, 3] }] },
      'logic_pitfall and.0.or.1@0: 2 by itself counts as true, so this `or` is always true; to compare with several values, use `in` with a list',
    ],
    [{ '>=': [{ length: v('vars.tags') }, 0] }, 'comparison_constant >=.1@0: this is always true: a length is 0 or more; did you mean `> 0`?'],
    [{ '>': [0, { length: v('vars.tags') }] }, 'comparison_constant >.0@0: this is never true: a length is 0 or more'],
    [{ '<': [{ length: v('vars.tags') }, 0] }, 'comparison_constant <.1@0: this is never true: a length is 0 or more'],
    [{ and: [{ '==': [limit, 1] }, false] }, 'condition_constant @0: this condition is always false'],
    // The result does not depend on any value.
    [{ '==': [1, 1] }, 'comparison_constant ==@0: this is always true: it reads no value and compares constants'],
    [{ '>': [{ '+': [1, 1] }, 3] }, 'comparison_constant >@0: this is never true: it reads no value and compares constants'],
    [
      { '!': [{ in: ['b', { merge: [['a'], ['b']] }] }] },
      'comparison_constant !.0.in@0: this is always true: it reads no value and compares constants',
    ],
    [
      { and: [{ '==': [limit, 1] }, { '==': [2, 2] }] },
      'comparison_constant and.1.==@0: this is always true: it reads no value and compares constants',
    ],
    [{ some: [v('vars.tags'), { '!=': [v(''), v('')] }] }, 'comparison_constant some.1.!=@0: this is never true: a value is compared with itself'],
    [{ '==': [v('inputs.user'), { var: ['inputs.user'] }] }, 'comparison_constant ==@0: this is always true: a value is compared with itself'],
    [{ '<': [limit, limit] }, 'comparison_constant <@0: this is never true: a value is compared with itself'],
    [
      { '==': [{ lower: v('inputs.user') }, { lower: [v('inputs.user')] }] },
      'comparison_constant ==@0: this is always true: a value is compared with itself',
    ],
    [{ in: [v('inputs.user'), ['root', v('inputs.user')]] }, 'comparison_constant in@0: this is always true: the list contains the same value'],
    [
      { or: [v('vars.contained'), { '!': v('vars.contained') }] },
      'comparison_constant or@0: this is always true: one part asks the opposite of another',
    ],
    [
      { and: [{ '!=': ['a', v('inputs.maybe')] }, { '===': [v('inputs.maybe'), 'a'] }] },
      'comparison_constant and@0: this is never true: one part asks the opposite of another',
    ],
    [{ and: [{ '<': [limit, 3] }, { '>': [limit, 8] }] }, 'comparison_constant and@0: this is never true: no number is in all of these ranges'],
    [{ and: [{ '<': [limit, 3] }, { '<': [3, limit] }] }, 'comparison_constant and@0: this is never true: no number is in all of these ranges'],
    [{ or: [{ '<=': [limit, 8] }, { '>': [limit, 3] }] }, 'comparison_constant or@0: this is always true: every number is in one of these ranges'],
    [{ '!': [{ missing: ['inputs.usr'] }] }, 'unknown_member !.0.missing.0@7: `inputs` has no member `usr`; did you mean `user`?'],
  ])('of %j', (rule, problem) => {
    const [first, ...others] = problems(rule)
    expect(first).toBe(problem)
    expect(others.filter((other) => !other.startsWith('condition_constant'))).toEqual([])
  })

  it('names the intended word, for a fix', () => {
    expect(typeOfCondition({ '==': [status, 'SUPENDED'] }, environment).problems[0]?.misspelt).toEqual({ name: 'SUPENDED', meant: 'SUSPENDED' })
    expect(typeOfCondition({ in: [status, ['SUPENDED']] }, environment).problems[0]?.misspelt).toEqual({ name: 'SUPENDED', meant: 'SUSPENDED' })
  })
})

describe('no problem', () => {
  it.each<[Json]>([
    // Integers beyond 2^53 are read as texts.
    [{ '==': [limit, '12345678901234567890'] }],
    [{ '!=': [limit, '-12345678901234567890'] }],
    [{ '<': [0, limit, '12345678901234567890'] }],
    [{ in: [limit, ['12345678901234567890', 5]] }],
    [true],
    [{ '==': [status, 'ACTIVE'] }],
    [{ '==': [v('inputs.ip', null), null] }],
    [{ '!=': [v('inputs.ip', ''), ''] }],
    [{ '==': [v('alert.content.a', ''), 'x'] }],
    [{ and: [{ '!=': [v('inputs.ip', null), null] }, { is_private_ip: [v('inputs.ip')] }] }],
    [{ and: [{ '!!': [v('inputs.ip', '')] }, { cidr_contains: ['10.0.0.0/8', v('inputs.ip')] }] }],
    [{ or: [{ '==': [v('inputs.maybe'), null] }, { starts_with: [v('inputs.maybe'), 'a'] }] }],
    [{ and: [{ '!': [{ in: [v('inputs.maybe'), [null, '']] }] }, { '==': [{ lower: v('inputs.maybe') }, 'a'] }] }],
    [{ and: [{ '!': [{ missing: ['inputs.ip'] }] }, { is_private_ip: [v('inputs.ip')] }] }],
    [{ if: [{ '==': [v('inputs.maybe'), null] }, false, { starts_with: [v('inputs.maybe'), 'a'] }] }],
    [{ '==': [{ lower: { or: [v('inputs.maybe'), ''] } }, 'a'] }],
    [{ '==': [v('inputs.maybe'), 'x'] }],
    [{ some: [v('steps.user.output.devices'), { '==': [v('model', ''), 'x'] }] }],
    [{ some: [{ or: [v('vars.roles'), []] }, { '==': [v(''), 'x'] }] }],
    [{ all: [{ filter: [v('steps.user.output.devices'), { '!=': [v('model', null), null] }] }, { starts_with: [v('model'), 'x'] }] }],
    [{ '>': [{ reduce: [v('vars.numbers'), { '+': [v('current'), v('accumulator')] }, 0] }, 3] }],
    [{ '>': [{ '-': [{ age: v('run.now') }, 0] }, 3_600_000] }],
    [{ '>': [{ age: v('steps.user.output.devices.0.seen', 0) }, 60_000] }],
    [{ in: [status, ['ACTIVE', 'PENDING']] }],
    [{ in: ['@example', v('inputs.user')] }],
    [{ in: ['a', v('vars.tags')] }],
    [{ in: ['a', v('alert.content.list', [])] }],
    [{ '<=': [1, limit, 5] }],
    [{ '==': [{ length: v('vars.tags') }, 2] }],
    [{ '==': [v('vars.tags'), []] }],
    [{ '==': [{ domain_of: v('inputs.user') }, 'example.com'] }],
    [{ before: [v('alert.content.time', 0), v('run.now')] }],
    [{ matches: [v('inputs.user'), '^adm'] }],
    [{ '==': [v('vars.contained'), true] }],
    [{ '!!': [v('inputs.user')] }],
    [{ '==': [{ merge: [v('vars.tags'), ['a']] }, []] }],
    [{ '!': [{ missing_some: [1, ['inputs.ip', 'inputs.user']] }] }],
    [{ '==': [v('vars.contained', false), v('vars.contained')] }],
    [{ and: [{ '<=': [limit, 3] }, { '>=': [limit, 3] }] }],
    [{ and: [{ '>': [limit, 3] }, { '<': [limit, 8] }] }],
    [{ or: [{ '<': [limit, 3] }, { '>': [limit, 8] }] }],
    [{ '>': [limit, { '*': [2, 3] }] }],
    [{ '<': [{ age: v('run.now') }, { '*': [60, 1_000] }] }],
    [{ and: [v('vars.contained'), { '>': [{ '/': [limit, 2] }, 1] }] }],
  ])('in %j', (rule) => {
    expect(problems(rule)).toEqual([])
  })
})
