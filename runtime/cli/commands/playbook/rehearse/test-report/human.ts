import { styleText } from 'node:util'
import type { Coverage, Difference, Problem, TestResult } from '../../../../../rehearsal/index.ts'
import { bold, dim, plain } from '../../../../print.ts'
import { explanations, type Report, tallyOf } from './report.ts'

/** The most characters of a value. */
const longest = 400

function shown(value: unknown): string {
  if (value === undefined) return '(nothing)'
  const text = JSON.stringify(value)
  return plain(text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text)
}

function differenceLines({ path, expected, actual }: Difference): string[] {
  const where = path.length > 0 ? [`    ${path.join('.')}`] : []
  return [...where, styleText('green', `    - expected: ${shown(expected)}`), styleText('red', `    + actual:   ${shown(actual)}`)]
}

function problemLines(file: string, { line, column, field, message, differences }: Problem): string[] {
  const [first = '', ...rest] = plain(message).split('\n')
  return [`  ${file}:${line}:${column} ${dim(field)}: ${first}`, ...rest.map((text) => `  ${text}`), ...differences.flatMap(differenceLines)]
}

function resultLines({ name, file, milliseconds, problems }: TestResult): string[] {
  const mark = problems.length === 0 ? styleText('green', '✓') : styleText('red', '✗')
  const lines = problems.flatMap((problem) => problemLines(file, problem))
  return [`  ${mark} ${plain(name)} ${dim(`(${Math.round(milliseconds)} ms)`)}`, ...lines.map((line) => `  ${line}`)]
}

function coverageLines(playbook: string, coverage: Coverage, least: number | null): string[] {
  const { branches, missed, percent } = coverage
  const low = least !== null && percent < least
  const count = `${branches.length - missed.length} of ${branches.length} branches (${percentText(percent)})`
  const head = `  coverage: ${low ? styleText('red', `${count}, but ${percentText(least)} is required`) : count}`
  return [head, ...missed.map(({ step, at, way }) => `    ${plain(playbook)}:${at.line}:${at.column} ${step}: never taken: ${way}`)]
}

/** Formats a percentage. Rounds down: 99.96 is not 100. */
export function percentText(percent: number): string {
  return `${Math.floor(percent * 10) / 10} %`
}

/** Returns the report for people: a line for each test, and for a failed test what differs and where the test expects it. */
export function humanReport(report: Report): string {
  const lines = report.files.flatMap((file) => {
    if ('error' in file) return [`${bold(plain(file.file))}`, ...explanations(file.error).map((text) => `  ${styleText('red', '✗')} ${plain(text)}`)]
    const { plan, file: playbook } = file.tests.playbook
    const coverage = report.covering ? coverageLines(playbook, file.coverage, report.least) : []
    return [`${bold(plain(file.file))} ${dim(plan.name)}`, ...file.results.flatMap(resultLines), ...coverage]
  })
  const { passed, failed, broken, uncovered } = tallyOf(report)
  const total = report.files.flatMap((file) => ('results' in file ? file.results : [])).reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const parts = [
    `${passed + failed} ${passed + failed === 1 ? 'test' : 'tests'}`,
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(broken > 0 ? [`${broken} ${broken === 1 ? 'file' : 'files'} could not be used`] : []),
    ...(uncovered > 0 ? [`${uncovered} ${uncovered === 1 ? 'playbook' : 'playbooks'} with too little coverage`] : []),
    `${Math.round(total)} ms`,
  ]
  return [...lines, '', parts.join(', ')].join('\n')
}
