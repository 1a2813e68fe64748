import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { RunDetailsView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { save } from '../../api/save.ts'
import { Copy } from '../../shared/copy.tsx'
import { ForeignBlock } from '../../shared/foreign.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { Dialog } from '../../shell/dialog.tsx'

interface MadeTest {
  readonly text: string
  readonly playbook: string
  readonly replaced: number
}

/** Shows a run as a test of its playbook, to read, copy and download. */
export function TestDialog({ run, onClose }: { readonly run: RunDetailsView; readonly onClose: () => void }): JSX.Element {
  const { data, error } = useQuery({
    queryKey: ['run test', run.run_id, run.state],
    queryFn: ({ signal }) => ask<MadeTest>('POST', `/platformapi/runs/${encodeURIComponent(run.run_id)}/test`, { keep: [] }, signal),
    gcTime: 0,
  })
  return (
    <Dialog onClose={onClose} title="A test of this run" size="xl">
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading what="Rehearsing the run" />}
      {data && (
        <Stack>
          <Text size="sm">
            The test gives the playbook the alert and the answers of this run, and expects what the run did. {data.replaced} values were replaced,
            because they look like personal data or secrets. Read the text before you share it.
          </Text>
          <ForeignBlock value={data.text} label="The test" />
          <Group justify="flex-end">
            <Copy value={data.text} what="the test" />
            <Button onClick={() => save(`${data.playbook}.test.yaml`, new Blob([data.text], { type: 'text/yaml' }))}>Download</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
