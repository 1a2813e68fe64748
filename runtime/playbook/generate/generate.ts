import { findObservables } from '../observables/find.ts'
import { accepts } from '../observables/kinds.ts'
import { loopLines, maxEach, named, singleLines } from './asking.ts'
import { header, inputLines, slotLines } from './opening.ts'
import { closingLines, observableLines, sourceLines, verdictLines } from './playbook-frame.ts'
import { findQuestions, type GeneratorIntegration } from './questions.ts'

export type { GeneratorIntegration, GeneratorSkill } from './questions.ts'

export interface GeneratorTask {
  /** The alert's type, as the source sent it. */
  readonly type: string
  readonly content: string
  /** The loaded plugins. */
  readonly integrations: readonly GeneratorIntegration[]
  /**
   * The ids of the integrations that the organization has a connection to. They are asked first.
   * The steps of the others are skipped until they are connected.
   */
  readonly connected: ReadonlySet<string>
}

/**
 * Writes a playbook for an alert type that has none. It reads the observables in the alert, calls
 * the read skills that take them, writes each answer into the case, adds up points for answers that
 * their schema calls a risk, and hands the case to an analyst. It never calls a skill that writes.
 *
 * Other alerts of the type may lack what this alert has. So no input is required, and each step
 * checks that its input is there. Returns the same text for the same arguments. The text contains
 * no values from the alert.
 */
export function generatePlaybook({ type, content, integrations, connected }: GeneratorTask): string {
  const observables = findObservables(content)
  const ordered = [...integrations].sort((a, b) => Number(connected.has(b.id)) - Number(connected.has(a.id)) || (a.id < b.id ? -1 : 1))
  const questions = named(findQuestions(ordered, observables))
  const singles = questions.filter(({ question }) => question.fills.length > 1)
  const semantics = [...new Set(questions.flatMap(({ question }) => question.fills.map(({ semantic }) => semantic)))]
  const loops = semantics.flatMap((semantic) => {
    const about = questions.filter(({ question: { fills } }) => fills.length === 1 && fills[0]?.semantic === semantic)
    const values = observables.filter(({ kind }) => accepts(semantic, kind))
    const many = values.length > maxEach || values.some(({ member }) => member !== null)
    return about.length === 0 ? [] : loopLines(semantic, many, about)
  })
  const slots = [...new Set(questions.map(({ question }) => question.integration))]
  const lines = [
    ...header(type),
    ...inputLines(observables),
    ...slotLines(slots, connected),
    'limits: { time: 30m, steps: 5000, impact: { high: 0, write: 0, targets: 0 } }',
    'case:',
    "  title: '{{ alert.alert_name }}'",
    '',
    'steps:',
    ...observableLines(observables, semantics),
    ...sourceLines(observables),
    ...loops,
    ...singles.flatMap(singleLines),
    ...closingLines(),
    ...verdictLines(slots),
  ]
  return `${lines.join('\n')}\n`
}
