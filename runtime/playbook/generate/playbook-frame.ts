import type { Observable } from '../observables/find.ts'
import { accepts, plural, severityKind } from '../observables/kinds.ts'
import { maxEach } from './asking.ts'
import { flow, scalar } from './yaml-text.ts'

/** The lowest score for a case of this severity. */
const thresholds = { high: 50, medium: 20 } as const
/** Points for an alert that the source itself calls severe. */
const sourcePoints = 20

/**
 * Writes the steps that note what the alert names and collect the values to look up.
 *
 * @param semantics the semantics that the questions take
 */
export function observableLines(observables: readonly Observable[], semantics: readonly string[]): string[] {
  const names = observables.map(({ name, member }) => {
    const list = member === null ? '' : `${inner(member)} | slice: 0, ${maxEach} | join: ", "`
    return `${name}: {{ inputs.${name}${list} | default: "none" }}`
  })
  const text = names.length === 0 ? 'The alert names nothing that this playbook can look up.' : `The alert names ${names.join(', ')}.`
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
    '  # The score and its reasons, the calls that failed, and the values to look up. Values that the alert lacks are left out.',
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

/** Returns the filters that lead from a list's items to the values in them. */
function inner(member: readonly string[]): string {
  return member.length === 0 ? '' : ` | map: "${member.join('.')}" | compact`
}

export function sourceLines(observables: readonly Observable[]): string[] {
  const own = observables.find(({ kind }) => kind === severityKind)
  if (own === undefined) return []
  return [
    `  # A high severity from the source adds ${sourcePoints} points.`,
    '  - id: source_severity',
    `    if: ${flow({ in: [{ lower: { var: [`inputs.${own.name}`, ''] } }, ['high', 'severe', 'critical']] })}`,
    `    set: { score: ${sourcePoints}, reasons: ' source severity {{ inputs.${own.name} | default: "high" }};' }`,
    '',
  ]
}

export function closingLines(): string[] {
  const { high, medium } = thresholds
  return [
    `  # The severity is high from ${high} points, medium from ${medium}, low below. Without points it stays unassigned.`,
    '  # The playbook never gives the disposition malicious. A person decides what the points mean.',
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
  return `{ title: 'Score: {{ vars.score }} points', risk: ${risk}, evidence: '{{ vars.reasons | strip }}' }`
}

/**
 * Writes the summary that people read first.
 *
 * @param slots the integrations that the playbook calls if they are connected
 */
export function verdictLines(slots: readonly string[]): string[] {
  const parts = [
    'Score {{ vars.score }}:{{ vars.reasons | default: " no sign of an attack was found." }}',
    '{% if vars.unanswered != "" %} No answer from:{{ vars.unanswered }}{% endif %}',
    ...slots.map((slot) => `{% unless connections.${slot}.bound %} ${slot} is not connected.{% endunless %}`),
    ...(slots.length === 0 ? [' Nothing was looked up.'] : []),
    ' An analyst decides.',
  ]
  return ['verdict:', `  summary: ${scalar(parts.join(''))}`]
}
