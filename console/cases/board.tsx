import { ActionIcon, Badge, Button, Group, Menu, Paper, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { CaseView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import { caseWords, SeverityBadge } from '../shared/badges.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { IconDots } from '../shared/icons.ts'
import { CaseLink } from '../shared/links.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { done, failed } from '../shared/toasts.tsx'
import { useMay } from '../shell/who.ts'
import { Attention } from './attention.tsx'
import { NextClock } from './clock.tsx'
import { CloseDialog } from './dialogs/close-dialog.tsx'
import { Filters, useCaseFilters } from './filters.tsx'
import { casePath, readCases } from './requests.ts'
import { statuses } from './words.ts'

type Status = CaseView['status']

/** Cases in columns by status. A menu on each card moves it to another status. */
export function Board(): JSX.Element {
  return (
    <>
      <Filters statusToo={false} known={[]} />
      <div className="board">
        {statuses.map((status) => (
          <BoardColumn key={status} status={status} />
        ))}
      </div>
    </>
  )
}

function BoardColumn({ status }: { readonly status: Status }): JSX.Element {
  const { filters } = useCaseFilters()
  const wanted = { ...filters, status }
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['board', 'cases', status, JSON.stringify(wanted)],
    queryFn: ({ pageParam, signal }) => readCases(wanted, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: rhythm,
  })
  const cases = data?.pages.flatMap(({ items }) => items) ?? []
  const name = caseWords.status(status)
  return (
    <section className="board-column" aria-label={name}>
      <Group gap={6} mb="xs">
        <Title order={2} size="h3">
          {name}
        </Title>
        {data && (
          <Badge color="gray" circle={cases.length < 10}>
            {cases.length}
            {hasNextPage ? '+' : ''}
          </Badge>
        )}
      </Group>
      <ScrollArea className="board-cards" viewportProps={{ tabIndex: 0, 'aria-label': `Cases: ${name}`, role: 'group' }}>
        {error && <ProblemNote error={error} />}
        {isPending && <Loading />}
        {data && cases.length === 0 && (
          <Text size="sm" c="dimmed">
            None
          </Text>
        )}
        <Stack gap="xs">
          {cases.map((found) => (
            <Card key={found.case_id} found={found} />
          ))}
          {hasNextPage && (
            <Button size="xs" variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Show more
            </Button>
          )}
        </Stack>
      </ScrollArea>
    </section>
  )
}

function Card({ found }: { readonly found: CaseView }): JSX.Element {
  const may = useMay()
  const move = useMove()
  const queries = useQueryClient()
  const [closing, setClosing] = useState(false)
  const closed = (): void => {
    setClosing(false)
    void queries.invalidateQueries({ queryKey: ['board'] })
  }
  return (
    <Paper withBorder p="xs" className="board-card" component="article" aria-label={found.case_id}>
      <Group justify="space-between" gap={4} wrap="nowrap">
        <CaseLink id={found.case_id} />
        <Group gap={2} wrap="nowrap">
          <SeverityBadge severity={found.severity} />
          {may('cases:write') && found.merged_into === null && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Move ${found.case_id}`}>
                  <IconDots size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>Move to</Menu.Label>
                {statuses.map((status) => (
                  <Menu.Item
                    key={status}
                    disabled={status === found.status}
                    onClick={() => (status === 'closed' ? setClosing(true) : move.mutate({ found, status }))}
                  >
                    {caseWords.status(status)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Text size="sm" lineClamp={2} my={4}>
        <Foreign value={found.title} />
      </Text>
      <Group gap={6}>
        <Attention found={found} />
        {found.assignee !== null && (
          <Text size="xs" c="dimmed" component="span">
            <Foreign value={found.assignee} />
          </Text>
        )}
        <NextClock found={found} />
      </Group>
      {closing && <CloseDialog id={found.case_id} onClose={closed} />}
    </Paper>
  )
}

interface Move {
  readonly found: CaseView
  readonly status: Status
}

/** Sets the status of a case, and offers to take that back. */
function useMove() {
  const queries = useQueryClient()
  const set = (id: string, status: Status): Promise<unknown> => ask('PATCH', casePath(id), { status })
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['board'] })
  return useMutation({
    mutationFn: ({ found, status }: Move) => set(found.case_id, status),
    onSuccess: (_, { found, status }) =>
      done({
        text: `${found.case_id} is now: ${caseWords.status(status)}`,
        undo: () =>
          void set(found.case_id, found.status)
            .catch((error: unknown) => failed(`${found.case_id} was not moved back`, error))
            .finally(again),
      }),
    onError: (error, { found }) => failed(`${found.case_id} was not moved`, error),
    onSettled: again,
  })
}
