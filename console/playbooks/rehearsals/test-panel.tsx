import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type JSX, Suspense, useState } from 'react'
import type { PlaybookTestReportView } from '../../../runtime/api/index.ts'
import { look } from '../../api/ask.ts'
import { type ShownLine, YamlEditor } from '../../editor/index.ts'
import { useAddress } from '../../shared/address.ts'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useMay } from '../../shell/who.ts'
import { exampleTest, testOfAlert, testOfRun } from './first-tests.ts'
import { Outdated, Working } from './parts.tsx'
import { TestReport } from './test-report.tsx'

interface TestPanelProps {
  readonly text: string
  readonly tests: string
  readonly organization: string | null
  readonly onChange: (tests: string) => void
  /** Shows a line of the playbook. */
  readonly onLine: (line: number) => void
}

/** The tests of the text, and their results. */
export function TestPanel({ text, tests, organization, onChange, onLine }: TestPanelProps): JSX.Element {
  const [line, setLine] = useState<ShownLine | null>(null)
  const run = useMutation({
    mutationFn: (sent: { readonly text: string; readonly tests: string }) =>
      look<PlaybookTestReportView>('/platformapi/playbooks/test', {
        text: sent.text,
        tests: [{ text: sent.tests, file: 'tests' }],
        ...(organization !== null && { organization_code: organization }),
      }),
  })
  const outdated = run.variables?.text !== text || run.variables.tests !== tests
  const none = tests.trim() === ''
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Each test gives an alert and the answers of external systems, and says what must happen. Nothing is called.
      </Text>
      <div className="editor-box small">
        <Suspense fallback={<Loading />}>
          <YamlEditor label="Tests of the playbook" value={tests} onChange={onChange} line={line} />
        </Suspense>
      </div>
      {none ? (
        <Beginnings text={text} onBegin={onChange} />
      ) : (
        <Button size="compact-md" className="fit" onClick={() => run.mutate({ text, tests })} disabled={run.isPending}>
          Run the tests
        </Button>
      )}
      {run.isPending && <Working what="Running the tests" />}
      {run.error && <ProblemNote error={run.error} />}
      {run.data && !none && (
        <section aria-label="Results" aria-live="polite">
          {outdated && <Outdated />}
          <TestReport report={run.data} onTestLine={(at) => setLine({ at })} onLine={onLine} />
        </section>
      )}
    </Stack>
  )
}

/** Ways to a first test: a run or an alert that the address names, or an example. */
function Beginnings({ text, onBegin }: { readonly text: string; readonly onBegin: (tests: string) => void }): JSX.Element {
  const { get } = useAddress()
  const may = useMay()
  const [run, alert] = [may('runs:read') ? get('run') : null, may('alerts:read') ? get('alert') : null]
  const making = useMutation({ mutationFn: (make: () => Promise<string>) => make(), onSuccess: onBegin })
  return (
    <>
      <Group gap="xs">
        {run !== null && (
          <Button size="compact-md" loading={making.isPending} onClick={() => making.mutate(() => testOfRun(run))}>
            Begin with the chosen run
          </Button>
        )}
        {run === null && alert !== null && (
          <Button size="compact-md" loading={making.isPending} onClick={() => making.mutate(() => testOfAlert(text, alert))}>
            Begin with the alert
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => onBegin(exampleTest(text))}>
          Begin with an example
        </Button>
      </Group>
      {making.error && <ProblemNote error={making.error} />}
    </>
  )
}
