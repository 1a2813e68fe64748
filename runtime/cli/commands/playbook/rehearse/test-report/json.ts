import { isTocsinError, messageOf } from '../../../../../errors/index.ts'
import { json as jsonText } from '../../../../print.ts'
import { type Report, tallyOf } from './report.ts'

/** Returns the report for programs. */
export function jsonReport(report: Report): string {
  const { passed, failed, broken } = tallyOf(report)
  const tests = report.files.flatMap((file) =>
    'error' in file
      ? []
      : file.results.map(({ name, line, milliseconds, problems }) => ({
          file: file.file,
          playbook: file.tests.playbook.plan.name,
          name,
          line,
          status: problems.length === 0 ? 'passed' : 'failed',
          milliseconds: Math.round(milliseconds * 100) / 100,
          problems: problems.map((problem) => ({
            ...problem,
            differences: problem.differences.map(({ path, expected, actual }) => ({
              path: path.join('.'),
              expected,
              ...(actual !== undefined && { actual }),
            })),
          })),
        })),
  )
  const errors = report.files.flatMap((file): object[] => {
    if (!('error' in file)) return []
    const { error } = file
    if (!isTocsinError(error)) return [{ file: file.file, code: 'internal', message: messageOf(error), places: [] }]
    return [{ file: file.file, code: error.code, message: error.message, places: error.places }]
  })
  const coverage = report.files.flatMap((file) => {
    if ('error' in file || !report.covering) return []
    const { branches, missed, percent } = file.coverage
    const { plan, file: playbook } = file.tests.playbook
    return [
      {
        playbook: plan.name,
        file: playbook,
        branches: branches.length,
        taken: branches.length - missed.length,
        percent: Math.floor(percent * 10) / 10,
        missed: missed.map(({ step, at, way }) => ({ step, line: at.line, column: at.column, way })),
      },
    ]
  })
  return jsonText({ passed, failed, broken, tests, errors, ...(report.covering && { coverage }) })
}
