import { styleText } from 'node:util'
import type { Finding } from '../../../../../playbook/index.ts'
import { bold, dim, plain } from '../../../../print.ts'
import { countOf, type Shown } from './format.ts'

const colours = { error: 'red', warning: 'yellow' } as const
/** The most characters of a source line. Of a longer line, only the part around the finding is shown. */
const width = 120

/** Lists the findings of each file: place, severity, message, code, and the source line with a mark under the place. */
export function asText({ findings, texts }: Shown): string {
  const blocks = [...texts].flatMap(([file, text]) => {
    const own = findings.filter((finding) => finding.file === file)
    if (own.length === 0) return []
    const lines = text.split(/\r?\n/)
    return [[bold(plain(file)), ...own.map((finding) => entry(finding, lines[finding.line - 1] ?? ''))].join('\n')]
  })
  return [...blocks, summary(findings, texts.size)].join('\n\n')
}

function entry({ line, column, severity, message, code, fix }: Finding, source: string): string {
  const head = `  ${line}:${column}  ${styleText(colours[severity], severity)}  ${plain(message)}  ${dim(code)}${fix === undefined ? '' : dim(' (--fix)')}`
  const from = column > width ? column - 1 - width / 2 : 0
  const shown = plain(source.slice(from, from + width).replaceAll('\t', ' '))
  return [head, `    ${dim('|')} ${shown}`, `    ${dim('|')} ${' '.repeat(Math.max(column - 1 - from, 0))}${styleText(colours[severity], '^')}`].join(
    '\n',
  )
}

function summary(findings: readonly Finding[], files: number): string {
  const looked = `${files} ${files === 1 ? 'file' : 'files'}`
  if (findings.length === 0) return `${looked}: no mistakes found`
  const fixable = findings.filter(({ fix }) => fix !== undefined).length
  const counts = [count(findings, 'error'), count(findings, 'warning')].join(', ')
  return `${looked}: ${counts}${fixable === 0 ? '' : `; --fix corrects ${fixable}`}`
}

function count(findings: readonly Finding[], severity: Finding['severity']): string {
  const amount = countOf(findings, severity)
  return `${amount} ${severity}${amount === 1 ? '' : 's'}`
}
