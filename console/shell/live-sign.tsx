import { Tooltip } from '@mantine/core'
import type { JSX } from 'react'
import { type FeedStatus, useFeedStatus } from '../api/feed/index.ts'

const signs: Readonly<Record<Exclude<FeedStatus, 'closed'>, { readonly word: string; readonly means: string }>> = {
  live: { word: 'Live', means: 'Changes show at once.' },
  reconnecting: { word: 'Reconnecting', means: 'The page reconnects, and then shows what has changed meanwhile.' },
  offline: { word: 'Offline', means: 'Changes show late: the page tries to reconnect, and asks from time to time.' },
}

/** Says whether changes show at once. */
export function LiveSign(): JSX.Element | null {
  const status = useFeedStatus()
  if (status === 'closed') return null
  const { word, means } = signs[status]
  return (
    <Tooltip label={means} multiline maw={260} position="top-start">
      <span className={`live ${status}`} role="status">
        {word}
      </span>
    </Tooltip>
  )
}
