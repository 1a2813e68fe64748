import { isAbsolute, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from '../../../../../config/index.ts'
import { findingRegistry } from '../../../../../playbook/authoring/index.ts'
import type { Finding, FindingCode, FindingEntry } from '../../../../../playbook/index.ts'
import { json as jsonText } from '../../../../print.ts'
import type { Shown } from './format.ts'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
/** The folder of the pages about codes, from the root of the project. */
const pages = 'docs/reference/lint/'

/** Writes SARIF 2.1.0: one run, the rules that have findings, and every finding with its fix. File names are relative to the working directory. */
export function asSarif({ findings, texts }: Shown): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort()
  const log = {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'tocsin playbook lint', semanticVersion: version, rules: codes.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(process.cwd()).href}/` } },
        artifacts: [...texts.keys()].map((file) => ({ location: locationOf(file), mimeType: 'application/yaml' })),
        results: findings.map((finding) => resultOf(finding, codes, texts.get(finding.file) ?? '')),
      },
    ],
  }
  return jsonText(log)
}

function ruleOf(code: FindingCode): object {
  const { severity, title, why, wrong, right }: FindingEntry = findingRegistry[code]
  const page = `${pages}${code}.md`
  return {
    id: code,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: why },
    help: {
      text: `${why}\n\nWrong:\n\n${wrong}\n\nRight:\n\n${right}\n\n${page}`,
      markdown: `${why}\n\nWrong:\n\n\`\`\`\n${wrong}\n\`\`\`\n\nRight:\n\n\`\`\`\n${right}\n\`\`\`\n\n\`${page}\``,
    },
    defaultConfiguration: { level: severity },
    properties: { page },
  }
}

function resultOf({ code, severity, message, file, line, column, field, fix }: Finding, codes: readonly string[], text: string): object {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: locationOf(file), region: { startLine: line, startColumn: column } },
        ...(field !== '' && { logicalLocations: [{ fullyQualifiedName: field }] }),
      },
    ],
    ...(fix && {
      fixes: [
        {
          description: { text: fix.title },
          artifactChanges: [
            {
              artifactLocation: locationOf(file),
              replacements: fix.edits.map(({ start, end, text: inserted }) => ({
                deletedRegion: regionOf(text, start, end),
                insertedContent: { text: inserted },
              })),
            },
          ],
        },
      ],
    }),
  }
}

function locationOf(file: string): object {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file
  const within = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  if (!within) return { uri: pathToFileURL(file).href }
  return { uri: path.split(sep).map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' }
}

function regionOf(text: string, start: number, end: number): object {
  const [startLine, startColumn] = lineOf(text, start)
  const [endLine, endColumn] = lineOf(text, end)
  return { startLine, startColumn, endLine, endColumn, charOffset: start, charLength: end - start }
}

function lineOf(text: string, offset: number): readonly [number, number] {
  const lines = text.slice(0, offset).split('\n')
  return [lines.length, (lines.at(-1)?.length ?? 0) + 1]
}
