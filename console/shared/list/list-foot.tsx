import { Loader, Text, VisuallyHidden } from '@mantine/core'
import type { JSX } from 'react'
import type { MoreRows } from './use-rows-in-view.ts'

/** In a shorter list, everybody sees where it ends. */
const longList = 20

interface ListFootProps {
  /** How many rows are loaded. */
  readonly count: number
  /** Whether it is on its way to the last row. */
  readonly toEnd: boolean
  readonly more: MoreRows | undefined
}

/** Says below a list whether more rows are coming. */
export function ListFoot({ count, toEnd, more }: ListFootProps): JSX.Element {
  return (
    <div className="list-foot" role="status">
      {toEnd ? (
        <Text size="xs" c="dimmed">
          Going to the end: {count.toLocaleString('en')} rows so far. Any other key stops.
        </Text>
      ) : more?.loading ? (
        <Loader size="xs" aria-label="Loading more" />
      ) : (
        <VisuallyHidden>{count} rows are loaded.</VisuallyHidden>
      )}
      {!more?.has && count > longList && (
        <Text size="xs" c="dimmed">
          These are all.
        </Text>
      )}
    </div>
  )
}
