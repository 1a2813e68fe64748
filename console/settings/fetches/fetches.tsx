import { Box, Button, Code, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import type { FetchAnswer } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { rhythm } from '../../api/rhythm.ts'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { useMay } from '../../shell/who.ts'
import { Part, Rows } from '../parts.tsx'
import { usePages } from '../use-pages.ts'
import { pageOfFetch } from './addresses.ts'
import { FetchCard } from './fetch-card.tsx'
import { FetchForm } from './form/fetch-form.tsx'
import { fetchesPath } from './use-fetch-acts.ts'

/** What fetches alerts from systems that cannot send them: the list, and the form of one. */
export function Fetches(): JSX.Element {
  const may = useMay()
  const [, go] = useLocation()
  const done = (): void => go(pageOfFetch.list)
  // Whoever creates or changes a fetch answers for its alerts.
  const mayChange = may('connections:write') && may('alerts:write')
  return (
    <Switch>
      {mayChange && (
        <Route path={pageOfFetch.new}>
          <FetchForm standing={null} onDone={done} />
        </Route>
      )}
      {mayChange && <Route path="/settings/fetches/:id/change">{({ id }) => <ChangeFetch key={id} id={id} onDone={done} />}</Route>}
      <Route>
        <FetchList mayChange={mayChange} />
      </Route>
    </Switch>
  )
}

/** The fetches: whether each works, and what can be done with it. */
function FetchList({ mayChange }: { readonly mayChange: boolean }): JSX.Element {
  const pages = usePages<FetchAnswer>(fetchesPath, { every: rhythm })
  const mayWrite = useMay()('connections:write')
  return (
    <Part
      title="Fetches"
      about="A fetch asks an external system for its alerts every so often, because some systems cannot send them. What was fetched before makes no second alert."
      actions={
        mayChange && (
          <Button component={Link} href={pageOfFetch.new}>
            New fetch …
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Rows of={pages} empty={{ title: 'Nothing is fetched yet.', text: <HowToBegin mayChange={mayChange} /> }}>
          {(rows) => rows.map((fetch) => <FetchCard key={fetch.id} fetch={fetch} mayWrite={mayWrite} />)}
        </Rows>
      </Stack>
    </Part>
  )
}

function HowToBegin({ mayChange }: { readonly mayChange: boolean }): JSX.Element {
  return (
    <Box maw="36rem">
      Does a system not send its alerts by itself? Tocsin can ask it for them, with a skill of its connection.{' '}
      {mayChange ? (
        <>
          Create a fetch here, or from a file with <Code>tocsin fetch add &lt;file&gt;</Code>.
        </>
      ) : (
        'To create a fetch, a key needs connections:write and alerts:write.'
      )}
    </Box>
  )
}

/** The form of a fetch that exists. It begins from the fetch as it is now. */
function ChangeFetch({ id, onDone }: { readonly id: string; readonly onDone: () => void }): JSX.Element {
  const { data, error } = useQuery({
    queryKey: ['settings', `${fetchesPath}/${id}`],
    queryFn: ({ signal }) => ask<FetchAnswer>('GET', `${fetchesPath}/${encodeURIComponent(id)}`, undefined, signal),
    // Somebody may have changed it since it was read last.
    gcTime: 0,
  })
  if (data) return <FetchForm standing={data} onDone={onDone} />
  if (!error) return <Loading />
  return (
    <Stack align="flex-start">
      <ProblemNote error={error} />
      <Text>
        <Link href={pageOfFetch.list}>All fetches</Link>
      </Text>
    </Stack>
  )
}
