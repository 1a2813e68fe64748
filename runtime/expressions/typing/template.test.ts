import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { any, type Environment, foreign, integer, listOf, nullType, objectOf, oneOf, optional, textOf, typeOfTemplate, unionOf } from './index.ts'
import { short, told, user, world } from './testing.ts'

const environment: Environment = world({
  alert: objectOf({ content: foreign }),
  inputs: objectOf({ user: textOf({ format: 'email' }), ip: optional(textOf({ format: 'ip' })), limit: integer }),
  steps: objectOf({ user: objectOf({ output: user }), perhaps: objectOf({ output: optional(user) }) }),
  vars: objectOf({ state: oneOf('open', 'shut'), found: unionOf([nullType, user]), none: listOf(any) }),
})

const typed = (value: Json): string => short(typeOfTemplate(value, environment).type)
const problems = (value: Json): readonly string[] => told(typeOfTemplate(value, environment))

describe('the type', () => {
  it.each<[Json, string]>([
    ['plain', '"plain"'],
    [5, '5'],
    ['{{ inputs.user }}', 'text (email)'],
    ['{{- inputs.limit -}}', 'integer'],
    ['{{ inputs.ip }}', 'text (ip)?'],
    ["{{ inputs.ip | default: '' }}", 'text (ip)'],
    ['{{ inputs.ip | default: nil }}', 'text (ip) or null'],
    ['x {{ inputs.user }}', 'text'],
    ['{% if true %}x{% endif %}', 'text'],
    ['{{ steps.user.output.status }}', '"ACTIVE" or "SUSPENDED" or "PENDING"'],
    ["{{ steps.user.output['status'] }}", '"ACTIVE" or "SUSPENDED" or "PENDING"'],
    ['{{ steps.user.output.devices }}', 'list of object (id, version, model, seen)'],
    ['{{ steps.user.output.devices | size }}', 'integer'],
    ['{{ steps.user.output.devices.size }}', 'integer'],
    ['{{ steps.user.output.devices[0].id }}', 'text?'],
    ["{{ steps.user.output.devices | map: 'model' }}", 'list of (text or null)'],
    ["{{ steps.user.output.devices | map: 'id' | join: ',' }}", 'text'],
    ['{{ steps.perhaps.output }}', 'object (status, bypass, enabled, email, lastLogin, score, …)?'],
    ['{{ vars.found.status }}', '"ACTIVE" or "SUSPENDED" or "PENDING" or null'],
    ['{{ vars.state | default: 5 }}', '5 or "open" or "shut"'],
    ['{{ inputs.limit | plus: 1 }}', 'integer'],
    ['{{ inputs.limit | divided_by: 2 }}', 'number'],
    ['{{ inputs.limit == 2 }}', 'boolean'],
    ['{{ (1..3) }}', 'list of integer'],
    ['{{ nil }}', 'null'],
    ['{{ true }}', 'true'],
    ['{{ alert.content.a.b }}', 'anything?'],
    ['{{ unknown.root }}', 'anything~'],
    [{ a: '{{ inputs.limit }}', b: ['{{ inputs.ip }}', 'x'] }, 'object (a, b)'],
    [['{{ inputs.ip }}', '{{ inputs.limit }}'], 'list of (integer or text (ip))'],
  ])('of %j is %s', (value, type) => {
    expect(typed(value)).toBe(type)
  })

  it('of an object keeps members that may be missing', () => {
    const { object } = typeOfTemplate({ a: '{{ inputs.ip }}', b: '{{ inputs.user }}' }, environment).type
    expect([...(object?.fields ?? [])].map(([name, type]) => `${name}: ${short(type)}`)).toEqual(['a: text (ip)?', 'b: text (email)'])
  })

  it('of a list counts the items that are certainly there', () => {
    expect(typeOfTemplate(['{{ inputs.ip }}', 'x'], environment).type.list?.least).toBe(1)
  })

  it('of a string that does not parse is anything, and no problem is reported, because its compilation does that', () => {
    expect(typeOfTemplate('{{ a | nofilter }}', environment)).toEqual({ type: any, problems: [], fallbacks: [] })
  })
})

describe('a problem', () => {
  it.each<[Json, string]>([
    [
      '{{ inputs.limit | plus: 12345678901234567890 }}',
      'filter_argument @18: `plus` takes a number as its first argument, not 12345678901234567890, which has more digits than a number can keep',
    ],
    ['{{ steps.user.output.staus }}', 'unknown_member @21: `steps.user.output` has no member `staus`; did you mean `status`?'],
    ['{{ steps.user.output["staus"] }}', 'unknown_member @22: `steps.user.output` has no member `staus`; did you mean `status`?'],
    [{ a: ['x {{ steps.user.output.staus }}'] }, 'unknown_member a.0@23: `steps.user.output` has no member `staus`; did you mean `status`?'],
    [
      '{{ steps.user.output.status.x }}',
      'no_members @28: `steps.user.output.status` is "ACTIVE" or "SUSPENDED" or "PENDING", which has no member `x`',
    ],
    ['{{ inputs.limit.x }}', 'no_members @16: `inputs.limit` is an integer, which has no member `x`'],
    [
      'x {{ inputs.ip }}',
      'value_may_be_missing @5: `inputs.ip` (text (ip)) may be missing, and inside text that is an error; give it a default (`inputs.ip | default: …`)',
    ],
    [
      'x {{ alert.content.a }}',
      'value_may_be_missing @5: `alert.content.a` may be missing, and inside text that is an error; give it a default (`alert.content.a | default: …`)',
    ],
    [
      'x {{ steps.user.output.devices | first }}',
      'value_may_be_missing @5: `steps.user.output.devices | first` (object (id, version, model, seen)) may be missing, and inside text that is an error; give it a default',
    ],
    [
      'x {{ inputs.ip | upcase }}',
      'value_may_be_missing @5: `inputs.ip` (text (ip)) may be missing, and inside text that is an error; give it a default (`inputs.ip | default: …`)',
    ],
    [
      "x {{ inputs.ip | upcase | default: 'y' }}",
      'default_comes_late @26: `inputs.ip` may be missing, and only a `default` that comes first replaces it: `inputs.ip | default: …`',
    ],
    [
      '{{ inputs.limit | plus: steps.perhaps.output.score }}',
      'value_may_be_missing @24: `steps.perhaps.output.score` (number) may be missing, and `plus` fails then; give it a default (`{% assign value = steps.perhaps.output.score | default: … %}`)',
    ],
    [
      "x {{ 'y' | default: inputs.ip | default: steps.perhaps.output.score }}",
      'value_may_be_missing @41: `steps.perhaps.output.score` (number) may be missing, and `default` fails then; give it a default (`{% assign value = steps.perhaps.output.score | default: … %}`)',
    ],
    [
      '{{ inputs.ip == "x" }}',
      'value_may_be_missing @3: `inputs.ip` (text (ip)) may be missing, and `==` fails then; give it a default (`inputs.ip | default: …`)',
    ],
    [
      '{% if inputs.ip and alert.content[inputs.ip] %}x{% endif %}',
      'value_may_be_missing @34: `inputs.ip` (text (ip)) may be missing, and then the template fails, or its value is missing; give it a default (`inputs.ip | default: …`)',
    ],
    [
      '{% if (1..steps.perhaps.output.score) contains 2 %}x{% endif %}',
      'value_may_be_missing @10: `steps.perhaps.output.score` (number) may be missing, and then the template fails, or its value is missing; give it a default (`steps.perhaps.output.score | default: …`)',
    ],
    [
      '{% if steps.perhaps.output.score > -1 %}{{ steps.perhaps.output.score }}{% endif %}',
      'value_may_be_missing @43: `steps.perhaps.output.score` (number) may be missing, and inside text that is an error; give it a default (`steps.perhaps.output.score | default: …`)',
    ],
    [
      "{% case inputs.ip %}{% when '10.0.0.1', nil %}{{ inputs.ip }}{% endcase %}",
      'value_may_be_missing @49: `inputs.ip` (text (ip)) may be missing, and inside text that is an error; give it a default (`inputs.ip | default: …`)',
    ],
    ['{% for a in inputs.limit %}{{ a }}{% endfor %}', 'not_a_list @12: a loop needs a list, and `inputs.limit` is an integer'],
    ['{% for d in steps.user.output.devices %}{{ d.idd }}{% endfor %}', 'unknown_member @45: `d` has no member `idd`; did you mean `id`?'],
    [
      '{% if steps.user.output.status == "SUPENDED" %}x{% endif %}',
      'value_never_equal @35: this is never true: the value is "ACTIVE" or "SUSPENDED" or "PENDING", and never "SUPENDED"; did you mean `SUSPENDED`?',
    ],
    ['{% if inputs.limit == "2" %}x{% endif %}', 'comparison_constant @23: this is never true: a number never equals a text'],
    ['{% if 1 == 1 %}x{% endif %}', 'comparison_constant @8: this is always true: it reads no value and compares constants'],
    ['{% if "b" < "a" %}x{% endif %}', 'comparison_constant @10: this is never true: it reads no value and compares constants'],
    ['{% if inputs.limit != inputs.limit %}x{% endif %}', 'comparison_constant @19: this is never true: a value is compared with itself'],
    [
      '{% case vars.state %}{% when "opn" %}x{% endcase %}',
      'value_never_equal @30: this is never true: the value is "open" or "shut", and never "opn"; did you mean `open`?',
    ],
    ['{% unless inputs.ip %}{{ inputs.ip }}{% endunless %}', 'value_missing @25: `inputs.ip` is always missing, and inside text that is an error'],
    [
      '{{ steps.user.output.lastLogin | date: "%Y" }}',
      'value_may_be_null @33: `steps.user.output.lastLogin` (integer or null) may be null, and `date` needs a time: epoch milliseconds or an ISO 8601 text; put `| default: …` before it',
    ],
  ])('of %j', (value, problem) => {
    const [first, ...others] = problems(value)
    expect(first).toBe(problem)
    expect(others).toEqual([])
  })

  it('names the intended word if it is certain', () => {
    expect(typeOfTemplate('{{ steps.user.output.staus }}', environment).problems[0]?.misspelt).toEqual({ name: 'staus', meant: 'status' })
    expect(typeOfTemplate('{{ steps.user.output.nothing_like_it }}', environment).problems).toMatchObject([{ code: 'undeclared_member' }])
    expect(typeOfTemplate('{{ steps.user.output.nothing_like_it }}', environment).problems[0]?.misspelt).toBeUndefined()
  })
})

describe('no problem', () => {
  it.each([
    '{{ inputs.limit == 12345678901234567890 }}',
    "{{ inputs.limit == '12345678901234567890' }}",
    '{% case inputs.limit %}{% when 12345678901234567890 %}x{% endcase %}',
    '{{ inputs.ip }}',
    '{{ steps.perhaps.output.status }}',
    "x {{ inputs.ip | default: 'none' }}",
    "x {{ inputs.ip | default: '' | upcase }}",
    "x {{ inputs.ip | default: steps.perhaps.output.score | default: 'none' }}",
    "x {{ inputs.ip | default: steps.perhaps.output.score | default: alert.content.a | default: 'none' | upcase }}",
    '{% if inputs.ip %}{{ inputs.ip }}{% endif %}',
    '{% if inputs.ip and inputs.ip == "x" %}{{ inputs.ip }}{% endif %}',
    '{% if inputs.ip != nil %}{{ inputs.ip }}{% else %}none{% endif %}',
    "{% if inputs.ip == '10.0.0.1' %}{{ inputs.ip }}{% endif %}",
    '{% unless inputs.ip %}none{% else %}{{ inputs.ip }}{% endunless %}',
    '{% if steps.perhaps.output.score > 0 %}{{ steps.perhaps.output.score }}{% endif %}',
    '{% if 0 < steps.perhaps.output.score %}{{ steps.perhaps.output.score }}{% endif %}',
    '{% if steps.perhaps.output.score > -1 %}x{% else %}{{ steps.perhaps.output.score }}{% endif %}',
    "{% case inputs.ip %}{% when '10.0.0.1' %}{{ inputs.ip }}{% endcase %}",
    '{% case inputs.ip %}{% when nil %}none{% else %}{{ inputs.ip }}{% endcase %}',
    '{% if steps.perhaps.output %}{{ steps.perhaps.output.status }}{% endif %}',
    '{% if steps.perhaps.output.status == "ACTIVE" %}{{ steps.perhaps.output.bypass }}{% endif %}',
    '{% for d in steps.user.output.devices %}{{ d.id }} {{ forloop.index }}{% endfor %}',
    '{% assign n = 0 %}{% for d in steps.user.output.devices %}{% assign n = n | plus: 1 %}{% endfor %}{{ n }}',
    '{% capture x %}a{{ inputs.user }}{% endcapture %}{{ x | size }}',
    '{% if inputs.ip %}{% assign a = 1 %}{% else %}{% assign a = "x" %}{% endif %}{{ a }}',
    '{% case vars.state %}{% when "open", "shut" %}x{% else %}y{% endcase %}',
    '{% comment %}{{ nothing.at.all }}{% endcomment %}{% raw %}{{ x }}{% endraw %}',
    '{% echo inputs.user %}',
    // A missing value is null once it is assigned.
    '{% assign d = steps.user.output.devices[0] %}{{ d.id }}',
    'x {{ steps.user.output.score | default: 0 }}',
    'x {{ steps.user.output.email | default: inputs.user }}',
    '{{ vars.found.status }}',
  ])('in %s', (template) => {
    expect(problems(template)).toEqual([])
  })
})
