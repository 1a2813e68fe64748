import { type Bomb, runBomb } from '../bomb.ts'

const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** The alert's content. It fills a body of 1 MiB. */
const content = {
  long: 'aB c'.repeat(50_000),
  signs: '<>'.repeat(50_000),
  many: items(20_000),
  texts: items(500).map((index) => `${'s'.repeat(400)}${index}`),
  people: items(2_000).map((index) => ({ name: `n${index}`, age: index % 50 })),
  time: '2026-11-01T09:04:11Z',
}
const inputs = `inputs:
  long: { type: string, from: [content.long], required: true }
  signs: { type: string, from: [content.signs], required: true }
  many: { type: array, from: [content.many], required: true }
  texts: { type: array, items: { type: string }, from: [content.texts], required: true }
  people: { type: array, from: [content.people], required: true }
`
const often = (body: string): string => `x{% for i in inputs.many %}${body}{% endfor %}`
const grown = (times: number, by: string): string => `{% assign p = 'ab' %}{% for i in (1..${times}) %}{% assign p = p | ${by} %}{% endfor %}`

/** Makes a bomb with a template in a `set` step. */
function template(name: string, text: string, ...comes: readonly string[]): Bomb {
  const playbook = `${inputs}steps:\n  - id: it\n    set: { it: ${JSON.stringify(text)} }\n  - id: say\n    case: { note: '{{ vars.it | size }}' }\n`
  return runBomb(`template: ${name}`, () => ({ content, playbook }), ...(comes.length > 0 ? comes : ['failed evaluation_exceeded']))
}

export const templates: readonly Bomb[] = [
  template('loops in loops', 'x{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}'),
  template('a range of a hundred million', 'x{% for a in (1..100000000) %}{{ a }}{% endfor %}'),
  template('ranges in a loop', often('{% for b in (1..9000) %}{% break %}{% endfor %}')),
  template('a text that doubles', `${grown(60, 'append: p')}{{ p }}`),
  template(
    'a text that doubles, read each time',
    `{% assign p = 'ab' %}{% for i in (1..60) %}{% capture p %}{{ p }}{{ p | downcase }}{% endcapture %}{% endfor %}{{ p }}`,
  ),
  template(
    'a list that holds itself',
    `{% assign p = inputs.many %}{% for i in (1..150) %}{% assign p = p | push: p %}{% endfor %}{{ p | json | size }}`,
  ),
  template('values that are missing', often('{{ alert.content.nothing | default: i }}')),
  template('a list sorted in a loop', often('{{ inputs.texts | sort | size }}')),
  template('a list sorted by a member in a loop', often("{{ inputs.people | sort_natural: 'name' | first | json }}")),
  template('a list made unique in a loop', often('{{ inputs.texts | uniq | size }}')),
  template('a list grouped in a loop', often("{{ inputs.people | group_by: 'name' | size }}")),
  template('a list filtered in a loop', often("{{ inputs.people | where: 'age', 7 | size }}")),
  template('a text escaped in a loop', often('{{ inputs.signs | escape | size }}')),
  template('a text replaced in a loop', often("{{ inputs.long | replace: 'a', 'bbbbbbbbbb' | size }}")),
  template('a text split in a loop', often("{{ inputs.long | split: '' | size }}")),
  template('a text slugified in a loop', often("{{ inputs.long | slugify: 'latin' | size }}")),
  template('JSON in a loop', often('{{ inputs.people | json | size }}')),
  template('lists compared in a loop', often('{% if inputs.many == inputs.many %}x{% endif %}')),
  template('a list searched in a loop', often('{% if inputs.many contains i %}x{% endif %}')),
  template('dates in a loop', often("{{ alert.created_at | date: '%c %x %X %Z', 'America/New_York' }}")),
  template('a date padded to a billion characters', "x{{ alert.created_at | date: '%999999999d' }}"),
  template('hashes in a loop', often('{{ inputs.long | sha256 }}')),
  template('900 nested blocks', `${'{% if inputs.many %}'.repeat(900)}x${'{% endif %}'.repeat(900)}`, 'refused playbook_invalid template_invalid'),
  template('100,000 outputs', '{{ inputs.long }}'.repeat(5_000), 'refused playbook_invalid template_invalid'),
  template('a large text many times', '{{ inputs.long }}'.repeat(200)),
]
