import { Card, Group, Text, Title } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'
import type { PageView } from '../../runtime/api/index.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'

interface BlockProps {
  readonly title: string
  /** The list that shows all of it. */
  readonly all?: string
  readonly children: ReactNode
}

/** A part of Home. */
export function Block({ title, all, children }: BlockProps): JSX.Element {
  return (
    <Card withBorder component="section" aria-label={title} padding="md" className="home-block">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{title}</Title>
        {all !== undefined && (
          <Link href={all} aria-label={`${title}: show all`}>
            <Text span size="sm">
              Show all
            </Text>
          </Link>
        )}
      </Group>
      {children}
    </Card>
  )
}

interface ListBlockProps<Item> extends Omit<BlockProps, 'children'> {
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query has any form
  readonly query: UseQueryOptions<PageView<Item>, Error, PageView<Item>, any>
  /** Leaves out items that need no attention. */
  readonly keep?: (item: Item) => boolean
  readonly keyOf: (item: Item) => string
  readonly show: (item: Item) => ReactNode
  /** The text of the block if it is empty. */
  readonly none: string
}

/** A part of Home that lists things. */
export function ListBlock<Item>({ query, keep = () => true, keyOf, show, none, ...block }: ListBlockProps<Item>): JSX.Element {
  const { data, error } = useQuery(query)
  const items = data?.items.filter(keep) ?? []
  return (
    <Block {...block}>
      {error && <ProblemNote error={error} />}
      {data === undefined && !error && <Loading />}
      {data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {items.length > 0 && (
        <ul className="home-list">
          {items.map((item) => (
            <li key={keyOf(item)}>{show(item)}</li>
          ))}
        </ul>
      )}
    </Block>
  )
}
