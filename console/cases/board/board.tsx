import { Badge, Button, Group, ScrollArea, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import type { CaseView } from '../../../runtime/api/index.ts'
import { rhythm } from '../../api/rhythm.ts'
import { caseWords } from '../../shared/badges.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { CloseDialog } from '../dialogs/close-dialog.tsx'
import { Filters, useCaseFilters } from '../filters.tsx'
import { readCases } from '../requests.ts'
import { statuses } from '../words.ts'
import { BoardCard } from './card.tsx'
import { useDropTarget } from './dragging.ts'
import { boardKey, useMoves } from './use-moves.ts'

type Status = CaseView['status']

/** Cases in columns by status. People move a card to another column by dragging it or with its menu. To close a case, a dialog opens. */
export function Board(): JSX.Element {
  const queries = useQueryClient()
  const setStatus = useMoves()
  const [closing, setClosing] = useState<string | null>(null)
  const move = (found: CaseView, status: Status): void => {
    if (status === 'closed' && found.status !== 'closed') setClosing(found.case_id)
    else setStatus(found, status)
  }
  const closed = (): void => {
    setClosing(null)
    void queries.invalidateQueries({ queryKey: boardKey })
  }
  return (
    <>
      <Filters statusToo={false} known={[]} />
      <div className="board">
        {statuses.map((status) => (
          <BoardColumn key={status} status={status} onMove={move} />
        ))}
      </div>
      {closing !== null && <CloseDialog id={closing} onClose={closed} />}
    </>
  )
}

interface ColumnProps {
  readonly status: Status
  readonly onMove: (found: CaseView, status: Status) => void
}

function BoardColumn({ status, onMove }: ColumnProps): JSX.Element {
  const { filters } = useCaseFilters()
  const wanted = { ...filters, status }
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...boardKey, status, JSON.stringify(wanted)],
    queryFn: ({ pageParam, signal }) => readCases(wanted, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: rhythm,
  })
  const { ref, over } = useDropTarget(status, (found) => onMove(found, status))
  const cases = data?.pages.flatMap(({ items }) => items) ?? []
  const name = caseWords.status(status)
  return (
    <section ref={ref} className="board-column" aria-label={name} data-over={over || undefined}>
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
            <BoardCard key={found.case_id} found={found} onMove={onMove} />
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
