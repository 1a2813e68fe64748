import { maxEach } from './asking.ts'
import { accepts, plural, severityKind } from './kinds.ts'
import type { Observable } from './observables.ts'
import { flow, scalar } from './yaml-text.ts'

/** From so many points on a case is of this severity. */
const thresholds = { high: 50, medium: 20 } as const
/** What the source's own word weighs. */
const sourcePoints = 20

/** What the alert names: noted, and gathered by what is asked about it. @param semantics what the questions take */
export function observableLines(observables: readonly Observable[], semantics: readonly string[]): string[] {
  const names = observables.map(({ name, member }) => {
    const list = member === null ? '' : `${inner(member)} | slice: 0, ${maxEach} | join: ", "`
    return `${name}: {{ inputs.${name}${list} | default: "none" }}`
  })
  const text = names.length === 0 ? 'The alert names nothing that this playbook knows to ask about.' : `The alert names ${names.join(', ')}.`
  const taken = semantics.map((semantic) => ({ name: plural(semantic), values: observables.filter(({ kind }) => accepts(semantic, kind)) }))
  const single = taken.map(({ name, values }) => {
    const given = values.filter(({ member }) => member === null).map((value) => scalar(`{{ inputs.${value.name} }}`))
    return `      ${name}: [${given.join(', ')}]`
  })
  const lists = taken.flatMap(({ name, values }) =>
    values.flatMap((value) => (value.member === null ? [] : [{ name, input: value.name, member: value.member }])),
  )
  return [
    '  - id: observables',
    `    case: { note: ${scalar(text)} }`,
    '',
    '  # Points for what is found, and why; which questions had no answer; and what to ask about. What the alert lacks is left out.',
    '  - id: begin',
    '    set:',
    '      score: 0',
    "      reasons: ''",
    "      unanswered: ''",
    '      none: []',
    ...single,
    ...lists.flatMap(({ name, input, member }, index) => [
      `  - id: gather_${index + 1}`,
      `    set: { ${name}: ${scalar(`{{ inputs.${input}${inner(member)} | concat: vars.${name} }}`)} }`,
    ]),
    '',
  ]
}

/** From a list's items to the values in them. */
function inner(member: readonly string[]): string {
  return member.length === 0 ? '' : ` | map: "${member.join('.')}" | compact`
}

export function sourceLines(observables: readonly Observable[]): string[] {
  const own = observables.find(({ kind }) => kind === severityKind)
  if (own === undefined) return []
  return [
    `  # The source's own word counts too: ${sourcePoints} points.`,
    '  - id: source_severity',
    `    if: ${flow({ in: [{ lower: { var: [`inputs.${own.name}`, ''] } }, ['high', 'severe', 'critical']] })}`,
    `    set: { score: ${sourcePoints}, reasons: ' the source calls it {{ inputs.${own.name} | default: "so" }};' }`,
    '',
  ]
}

export function closingLines(): string[] {
  const { high, medium } = thresholds
  return [
    `  # ${high} points and more are high, ${medium} and more medium, fewer low; without any the severity stays unassigned.`,
    '  # Nothing here says malicious: what the points are worth is for a person to say.',
    '  - id: rate_high',
    `    if: ${flow({ '>=': [{ var: 'vars.score' }, high] })}`,
    `    case: { severity: high, finding: ${weighed('high')} }`,
    '  - id: rate_medium',
    `    if: ${flow({ and: [{ '>=': [{ var: 'vars.score' }, medium] }, { '<': [{ var: 'vars.score' }, high] }] })}`,
    `    case: { severity: medium, finding: ${weighed('medium')} }`,
    '  - id: rate_low',
    `    if: ${flow({ and: [{ '>': [{ var: 'vars.score' }, 0] }, { '<': [{ var: 'vars.score' }, medium] }] })}`,
    `    case: { severity: low, finding: ${weighed('low')} }`,
    '  - id: hand_over',
    '    case: { status: analyst_pending, disposition: pending }',
    '',
  ]
}

function weighed(risk: 'high' | 'medium' | 'low'): string {
  return `{ title: 'Weighed: {{ vars.score }} points', risk: ${risk}, evidence: '{{ vars.reasons | strip }}' }`
}

/** What somebody reads first. @param slots the integrations that are asked where they are connected */
export function verdictLines(slots: readonly string[]): string[] {
  const parts = [
    'Score {{ vars.score }}:{{ vars.reasons | default: " no sign of an attack was found." }}',
    '{% if vars.unanswered != "" %} Without an answer:{{ vars.unanswered }}{% endif %}',
    ...slots.map((slot) => `{% unless connections.${slot}.bound %} ${slot} is not connected.{% endunless %}`),
    ...(slots.length === 0 ? [' Nothing was asked.'] : []),
    ' An analyst decides.',
  ]
  return ['verdict:', `  summary: ${scalar(parts.join(''))}`]
}
