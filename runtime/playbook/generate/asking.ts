import type { Json } from '../../domain/index.ts'
import { plural } from '../observables/kinds.ts'
import type { Fill, Question } from './questions.ts'
import { pathName, points, type Signal, signalRule } from './signals.ts'
import { comment, flow, literal, scalar } from './yaml-text.ts'

/**
 * The most observables of one semantic that the playbook looks up. If an alert names more, a note
 * in the case says so.
 */
export const maxEach = 5

/** A question, and the name that its step ids are made from. */
export interface NamedQuestion {
  readonly name: string
  readonly question: Question
}

/** Gives each question a name. No two questions get the same one. */
export function named(questions: readonly Question[]): readonly NamedQuestion[] {
  return questions.map((question, index) => {
    const before = questions.slice(0, index).filter(({ skill }) => skill === question.skill).length
    return { name: `${question.skill.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 40)}${before === 0 ? '' : `_${before + 1}`}`, question }
  })
}

/**
 * Writes the loop that asks all `questions` about each observable of a semantic.
 *
 * @param many whether an alert may name more observables than the loop looks up
 */
export function loopLines(semantic: string, many: boolean, questions: readonly NamedQuestion[]): string[] {
  const list = `vars.${plural(semantic)}`
  const more = [
    `  - id: more_${plural(semantic)}`,
    `    if: ${flow({ '>': [{ length: { unique: { var: list } } }, maxEach] })}`,
    `    case: { note: ${scalar(`Only the first ${maxEach} of {{ ${list} | uniq | size }} ${words(plural(semantic))} were looked up.`)} }`,
  ]
  return [
    `  # Look up the alert's ${words(plural(semantic))}, each once.`,
    `  - id: each_${semantic}`,
    `    foreach: '{{ ${list} | uniq | slice: 0, ${maxEach} }}'`,
    `    as: ${semantic}`,
    `    max_items: ${maxEach}`,
    '    steps:',
    ...questions.flatMap((one) => indent(questionLines(one, new Map([[semantic, semantic]]), []))),
    ...(many ? more : []),
    '',
  ]
}

/**
 * Writes the steps of a question that needs several observables. It uses the first observable of
 * each semantic.
 */
export function singleLines(one: NamedQuestion): string[] {
  const semantics = [...new Set(one.question.fills.map(({ semantic }) => semantic))]
  const values = new Map(semantics.map((semantic) => [semantic, `vars.${plural(semantic)} | first`]))
  const guards = semantics.map((semantic) => ({ '!!': [{ var: `vars.${plural(semantic)}` }] }))
  return [...questionLines(one, values, guards), '']
}

/** @param values the template expression of each observable, by semantic */
function questionLines({ name, question }: NamedQuestion, values: ReadonlyMap<string, string>, guards: readonly Json[]): string[] {
  const { integration, skill, title, purpose, fills, suggested, list, signals } = question
  const ask = `steps.ask_${name}`
  const expressionOf = ({ semantic }: Fill): string => values.get(semantic) ?? semantic
  const given = fills.map((fill): [string, string] => {
    const expression = expressionOf(fill)
    const value = scalar(fill.query === null ? `{{ ${expression} }}` : fill.query.replaceAll(/\{\{\s*value\b/g, `{{ ${expression}`))
    return [fill.key, fill.list ? `[${value}]` : value]
  })
  const inputs = [...given, ...Object.entries(suggested).map(([key, value]): [string, string] => [key, flow(value)])]
  const about = fills.map((fill) => `{{ ${expressionOf(fill)} }}`).join(', ')
  const full = `${integration}.${skill}`
  const bound: Json = { var: `connections.${integration}.bound` }
  const answered: Json = { '==': [{ var: [`${ask}.status`, ''] }, 'done'] }
  const found: Json = list === null ? answered : { '>': [{ length: { var: [`${ask}.output.${list}`, []] } }, 0] }
  const count = list === null ? '' : `: {{ ${ask}.output.${list} | default: vars.none | size }}`
  return [
    `  # ${comment(title)} (${comment(integration)}): ${comment(purpose)}`,
    `  - id: ask_${name}`,
    `    if: ${flow(guards.length === 0 ? bound : { and: [bound, ...guards] })}`,
    `    skill: ${full}`,
    `    with: { ${inputs.map(([key, value]) => `${flow(key)}: ${value}`).join(', ')} }`,
    '    on_error:',
    `      - id: unanswered_${name}`,
    `        set: { unanswered: ${scalar(`{{ vars.unanswered }} ${full} for ${about} ({{ ${ask}.error.code | default: "failed" }});`)} }`,
    `  - id: found_${name}`,
    `    if: ${flow(found)}`,
    `    case: { finding: { title: ${scalar(`${literal(title)} (${integration}) for ${about}${count}`)}, risk: info, evidence: '{{ ${ask}.output }}' } }`,
    ...signals.flatMap((signal, index) => signalLines(`${name}_${index + 1}`, signal, `${ask}.output`, full, about)),
  ]
}

function signalLines(name: string, signal: Signal, answer: string, skill: string, about: string): string[] {
  const { risk, path, values } = signal
  const says = literal(`${pathName(path)} is ${values.map(String).join(' or ')}`)
  return [
    `  # ${comment(says)}: ${risk}, ${points[risk]} points.`,
    `  - id: weigh_${name}`,
    `    if: ${flow(signalRule(signal, answer))}`,
    `    set: { score: '{{ vars.score | plus: ${points[risk]} }}', reasons: ${scalar(`{{ vars.reasons }} ${skill} for ${about}: ${says};`)} }`,
  ]
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `    ${line}`)
}
