import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { MentionView, PageView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { rhythm } from '../../api/rhythm.ts'
import { Page } from '../../shared/page.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { Mentioned } from './mentioned.tsx'

/** All comments that mention the person, newest first. */
export function MentionsPage(): JSX.Element {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['mentions'],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: '50', ...(pageParam !== null && { cursor: pageParam }) })
      return ask<PageView<MentionView>>('GET', `/platformapi/mentions?${query}`, undefined, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: rhythm,
  })
  const mentions = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Page title="Mentions of me">
      {error && <ProblemNote error={error} />}
      {isPending && <Loading />}
      {data && mentions.length === 0 && (
        <Text size="sm" c="dimmed">
          No comment mentions you. In a comment, @ and your name mention you.
        </Text>
      )}
      <ul className="home-list">
        {mentions.map((mention) => (
          <li key={`${mention.case_uuid} ${mention.entry}`}>
            <Mentioned mention={mention} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  )
}
