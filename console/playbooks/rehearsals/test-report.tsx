import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { JSX } from 'react'
import type { PlaybookTestReportView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'

type FileReport = PlaybookTestReportView['files'][number]

/** How many branches that no test takes are listed. */
const mostMissed = 20

interface TestReportProps {
  readonly report: PlaybookTestReportView
  /** Shows a line of the tests. */
  readonly onTestLine: (line: number) => void
  /** Shows a line of the playbook. */
  readonly onLine: (line: number) => void
}

/** The results of tests, and the branches of the playbook that none takes. */
export function TestReport({ report: { passed, failed, files }, onTestLine, onLine }: TestReportProps): JSX.Element {
  return (
    <>
      <Text fw={600} size="sm">
        {passed} passed, {failed} failed
      </Text>
      {files.map(({ file, error, results, coverage }) => (
        <Stack key={file} gap={6} mt={6}>
          {error && <Unusable error={error} onTestLine={onTestLine} />}
          {results.map((result) => (
            <Result key={result.line} result={result} onTestLine={onTestLine} />
          ))}
          {coverage && coverage.branches > 0 && <Coverage coverage={coverage} onLine={onLine} />}
        </Stack>
      ))}
    </>
  )
}

/** A place in a text, as a button that shows it. */
function Line({ line, onShow }: { readonly line: number; readonly onShow: (line: number) => void }): JSX.Element {
  return (
    <Button variant="subtle" size="compact-xs" onClick={() => onShow(line)}>
      line {line}
    </Button>
  )
}

function Unusable({
  error: { message, errors },
  onTestLine,
}: {
  readonly error: NonNullable<FileReport['error']>
  readonly onTestLine: (line: number) => void
}): JSX.Element {
  return (
    <div className="told">
      <Text size="sm">{errors.length === 0 ? <Foreign value={message} /> : 'The tests have mistakes.'}</Text>
      {errors.map(({ field, message: mistake, line }) => (
        <Text key={`${line} ${field} ${mistake}`} size="sm" component="div">
          {line !== undefined && <Line line={line} onShow={onTestLine} />} <Foreign value={field === '' ? mistake : `${field}: ${mistake}`} />
        </Text>
      ))}
    </div>
  )
}

function Result({
  result: { name, passed, problems },
  onTestLine,
}: {
  readonly result: FileReport['results'][number]
  readonly onTestLine: (line: number) => void
}): JSX.Element {
  return (
    <div className="told">
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Badge color={passed ? 'teal' : 'red'}>{passed ? 'passed' : 'failed'}</Badge>
        <Text size="sm">
          <Foreign value={name} />
        </Text>
      </Group>
      {problems.map(({ line, field, message, differences }) => (
        <div key={`${line} ${field} ${message}`}>
          <Text size="sm" className="preserved" component="div">
            <Line line={line} onShow={onTestLine} /> <Foreign value={message} />
          </Text>
          {differences.map(({ path, expected, actual }) => (
            <Text key={path} size="xs" className="preserved">
              <Foreign value={path} /> expected <Foreign value={brief(expected)} />, got <Foreign value={brief(actual)} />
            </Text>
          ))}
        </div>
      ))}
    </div>
  )
}

function Coverage({
  coverage: { percent, branches, missed },
  onLine,
}: {
  readonly coverage: NonNullable<FileReport['coverage']>
  readonly onLine: (line: number) => void
}): JSX.Element {
  return (
    <div>
      <Text size="sm">
        The tests take {Math.floor(percent)} % of {branches} branches{missed.length > 0 && '. No test takes these:'}
      </Text>
      {missed.slice(0, mostMissed).map(({ step, way, line }) => (
        <Text key={`${line} ${step} ${way}`} size="sm" component="div">
          <Line line={line} onShow={onLine} /> <Foreign value={step} />: {way}
        </Text>
      ))}
      {missed.length > mostMissed && <Text size="sm">and {missed.length - mostMissed} more</Text>}
    </div>
  )
}

function brief(shown: { readonly value?: unknown; readonly beginning?: string } | null): string {
  if (shown === null) return 'nothing'
  return shown.beginning === undefined ? (JSON.stringify(shown.value) ?? 'nothing') : `${shown.beginning}…`
}
