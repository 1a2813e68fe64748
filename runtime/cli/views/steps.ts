import type { Answer } from '../client.ts'
import { bold, clipped, dim, linesText, listOf, plain, time } from '../print.ts'
import { detailLines, lineOf, warningLines } from './step.ts'
import { outcomeText, standingText, valueText, whatText } from './step-words.ts'

const widestInputs = 300
/** Width of the start time in front of each step. */
const clock = 10
const indent = ' '.repeat(clock)

interface Manner {
  readonly run: string
  /** Whether to show the input, output and conditions of each step, too. */
  readonly details: boolean
}

/** One line per step, as a tree by their addresses: the steps inside a step are indented below it. */
function treeLines(steps: readonly Answer[], { details, run }: Manner): string[] {
  const lines: string[] = []
  let before: readonly string[] = []
  for (const step of steps) {
    const path = plain(step['address']).split('/')
    const common = path.findIndex((part, index) => before[index] !== part)
    const from = common < 0 ? path.length - 1 : Math.min(common, path.length - 1)
    const alike = Number(step['alike']) > 0 ? dim(` (and ${plain(step['alike'])} more like it)`) : ''
    for (let depth = from; depth < path.length - 1; depth += 1)
      lines.push(`${indent}${'  '.repeat(depth)}${dim(path[depth] ?? '')}${depth === path.length - 2 ? alike : ''}`)
    const deep = '  '.repeat(path.length - 1)
    const at = step['began_at'] ? time(step['began_at']).slice(11) : ''
    const own = from === path.length - 1 ? alike : ''
    lines.push(
      `${dim(at.padEnd(clock))}${deep}${bold(path.at(-1) ?? '')}  ${whatText(step)}  ${details ? standingText(step) : outcomeText(step)}${own}`,
    )
    const beneath = details ? detailLines(step, lineOf(run, step)) : warningLines(step).map((line) => `${bold('warning')} ${line}`)
    const others = Number(step['unlisted']) > 0 ? [dim(`${plain(step['unlisted'])} more iterations went other ways; --all lists them`)] : []
    lines.push(...[...beneath, ...others].map((line) => `${indent}${deep}  ${line}`))
    before = path
  }
  return lines
}

const stateOrder = ['done', 'failed', 'skipped', 'waiting', 'under_way', 'in_doubt', 'interrupted'] as const

/** How many steps there are in each state. */
function countsText(states: unknown): string {
  const counts = (states ?? {}) as Readonly<Record<string, number>>
  const parts = stateOrder.flatMap((state) => (counts[state] ? [`${counts[state]} ${state.replace('_', ' ')}`] : []))
  return parts.length === 0 ? 'No step has been reached.' : `Steps: ${parts.join(', ')}`
}

function inputsLine(inputs: unknown): string[] {
  const all = Object.entries((inputs ?? {}) as Answer).map(([name, value]) => `${name} = ${valueText(value)}`)
  return all.length === 0 ? [] : [`Inputs: ${clipped(all.join(', '), widestInputs)}`]
}

/** Returns the steps of a run as text for a terminal. @param page an answer of the API, with the steps of one or more pages */
export function stepsText(page: Answer, manner: Manner): string {
  const steps = listOf(page['items'])
  const left = Number(page['total']) - steps.length
  return linesText([
    countsText(page['states']),
    ...(page['note'] ? [`${bold('!')} ${plain(page['note'])}`] : []),
    ...inputsLine(page['inputs']),
    '',
    ...treeLines(steps, manner),
    ...(left > 0 ? ['', `${left} more ${left === 1 ? 'step' : 'steps'}: use --limit ${plain(page['total'])}, --within <step> or --failed`] : []),
  ])
}
