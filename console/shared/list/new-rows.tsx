import { Button } from '@mantine/core'
import type { JSX } from 'react'
import { IconArrowUp } from '../icons.ts'

/**
 * A button that says how many new rows there are, and shows them. New rows never push away what somebody reads.
 * @param count Infinity: more than anybody has counted
 */
export function NewRows({ count, what, onShow }: { readonly count: number; readonly what: string; readonly onShow: () => void }): JSX.Element {
  return (
    <div role="status" className="new-rows">
      {count > 0 && (
        <Button size="compact-sm" variant="light" leftSection={<IconArrowUp size={14} />} onClick={onShow}>
          {Number.isFinite(count) ? count : 'Many'} new {what}
        </Button>
      )}
    </div>
  )
}
