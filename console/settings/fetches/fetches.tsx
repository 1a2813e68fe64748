import { Box, Code, Stack } from '@mantine/core'
import type { JSX } from 'react'
import type { FetchAnswer } from '../../../runtime/api/index.ts'
import { rhythm } from '../../api/rhythm.ts'
import { useMay } from '../../shell/who.ts'
import { Part, Rows } from '../parts.tsx'
import { usePages } from '../use-pages.ts'
import { AddFetch } from './add-fetch.tsx'
import { FetchCard } from './fetch-card.tsx'
import { fetchesPath } from './use-fetch-acts.ts'

/** What fetches alerts from systems that cannot send them: whether each works, and what can be done with it. */
export function Fetches(): JSX.Element {
  const pages = usePages<FetchAnswer>(fetchesPath, { every: rhythm })
  const mayWrite = useMay()('connections:write')
  const none = !pages.pending && pages.error === null && pages.rows.length === 0
  return (
    <Part
      title="Fetches"
      about="A fetch asks an external system for its alerts every so often, because some systems cannot send them. What was fetched before makes no second alert."
    >
      <Stack gap="sm">
        <Rows of={pages} empty={{ title: 'Nothing is fetched yet.', text: <HowToBegin /> }}>
          {(rows) => rows.map((fetch) => <FetchCard key={fetch.id} fetch={fetch} mayWrite={mayWrite} />)}
        </Rows>
      </Stack>
      {mayWrite && (none || pages.rows.length > 0) && <AddFetch open={none} />}
    </Part>
  )
}

function HowToBegin(): JSX.Element {
  return (
    <Box maw="36rem">
      Does a system not send its alerts by itself? Tocsin can ask it for them, with a skill of its connection. Create a fetch with{' '}
      <Code>tocsin fetch add &lt;file&gt;</Code>: see the guide “Connect an alert source”.
    </Box>
  )
}
