import { Badge, Tooltip } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { PageView, PauseView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { rhythm } from '../api/rhythm.ts'
import { useMay } from './who.ts'

/** So many pauses are counted. More are shown as this number and a plus. */
const most = 99

const standing = queryOptions({
  queryKey: ['frame', `/platformapi/pauses?state=standing&limit=${most + 1}`],
  queryFn: ({ queryKey: [, path], signal }) => ask<PageView<Pick<PauseView, 'kind'>>>('GET', String(path), undefined, signal),
  refetchInterval: rhythm,
})

/**
 * Shows on every page that something is paused, so that nobody has to search for the reason why a run does not go on.
 * @param short there is room for one word
 */
export function PausedSign({ short = false }: { readonly short?: boolean }): JSX.Element | null {
  const allowed = useMay()('pauses:read')
  const { data } = useQuery({ ...standing, enabled: allowed })
  const pauses = data?.items ?? []
  if (pauses.length === 0) return null
  const everything = pauses.some(({ kind }) => kind === 'everything')
  const count = pauses.length > most ? `${most}+ pauses` : pauses.length === 1 ? '1 pause' : `${pauses.length} pauses`
  const what = everything ? 'Everything is paused' : count
  return (
    <Tooltip label="Runs that a pause holds send no write until somebody resumes them." multiline maw={260} position="top-start">
      <Badge
        component={Link}
        href="/settings/pauses"
        size="lg"
        color={everything ? 'red' : 'orange'}
        className="paused-sign"
        aria-label={short && !everything ? `Paused: ${what}` : what}
      >
        {short ? 'Paused' : what}
      </Badge>
    </Tooltip>
  )
}
