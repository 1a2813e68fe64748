import type { Problem, TestResult } from '../../../../../rehearsal/index.ts'
import { percentText } from './human.ts'
import { explanations, type FileReport, type Report } from './report.ts'

/** Escapes markup for XML 1.0, and replaces characters that XML cannot hold. */
function xml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these characters
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Unescaped, a parser reads a tab in an attribute as a space, and a carriage return anywhere as a line feed.
      .replaceAll('\r', '&#13;')
      .replaceAll('\t', '&#9;')
  )
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('')
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(6)

function problemText(file: string, { line, column, field, message, differences }: Problem): string {
  const details = differences.map(
    ({ path, expected, actual }) =>
      `  ${path.join('.')}\n  - expected: ${JSON.stringify(expected)}\n  + actual:   ${JSON.stringify(actual) ?? '(nothing)'}`,
  )
  return [`${file}:${line}:${column} ${field}: ${message}`, ...details].join('\n')
}

function testCase(playbook: string, { name, file, line, milliseconds, problems }: TestResult): string {
  const head = `    <testcase${attributes({ name, classname: playbook, file, line, time: seconds(milliseconds) })}`
  const [first] = problems
  if (!first) return `${head}/>`
  const text = problems.map((problem) => problemText(file, problem)).join('\n')
  return `${head}>\n      <failure${attributes({ message: first.message, type: 'expectation' })}>${xml(text)}</failure>\n    </testcase>`
}

function brokenCase(file: string, message: string, text: string): string {
  return `    <testcase${attributes({ name: file, classname: file, file, time: '0' })}>\n      <error${attributes({ message, type: 'file' })}>${xml(text)}</error>\n    </testcase>`
}

function suite(
  report: FileReport,
  { least }: Report,
): { readonly text: string; readonly tests: number; readonly failures: number; readonly errors: number } {
  if ('error' in report) {
    const told = explanations(report.error)
    const body = brokenCase(report.file, told[0] ?? '', told.join('\n'))
    return {
      text: `  <testsuite${attributes({ name: report.file, tests: 1, failures: 0, errors: 1, time: '0' })}>\n${body}\n  </testsuite>`,
      tests: 1,
      failures: 0,
      errors: 1,
    }
  }
  const {
    results,
    coverage,
    tests: { playbook },
  } = report
  const cases = results.map((result) => testCase(playbook.plan.name, result))
  const uncovered = least !== null && coverage.percent < least
  if (uncovered) {
    const missed = coverage.missed.map(({ step, at, way }) => `${playbook.file}:${at.line}:${at.column} ${step}: never taken: ${way}`)
    const message = `${percentText(coverage.percent)} of the branches are covered, but ${percentText(least)} is required`
    cases.push(
      `    <testcase${attributes({ name: 'branch coverage', classname: playbook.plan.name, file: playbook.file, time: '0' })}>\n      <failure${attributes({ message, type: 'coverage' })}>${xml(missed.join('\n'))}</failure>\n    </testcase>`,
    )
  }
  const failures = results.filter(({ problems }) => problems.length > 0).length + (uncovered ? 1 : 0)
  const time = seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
  const head = attributes({ name: report.file, tests: cases.length, failures, errors: 0, time })
  return { text: `  <testsuite${head}>\n${cases.join('\n')}\n  </testsuite>`, tests: cases.length, failures, errors: 0 }
}

/** Returns the report as JUnit XML, for continuous integration: a suite for each file, a case for each test. */
export function junitReport(report: Report): string {
  const suites = report.files.map((file) => suite(file, report))
  const sum = (of: 'tests' | 'failures' | 'errors'): number => suites.reduce((total, one) => total + one[of], 0)
  const head = attributes({ name: 'tocsin playbook test', tests: sum('tests'), failures: sum('failures'), errors: sum('errors') })
  return [`<?xml version="1.0" encoding="UTF-8"?>`, `<testsuites${head}>`, ...suites.map(({ text }) => text), '</testsuites>', ''].join('\n')
}
