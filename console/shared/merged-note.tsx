import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import { CaseLink } from './links.tsx'

interface MergedNoteProps {
  /** The case that continues this one. Null: it is not merged. */
  readonly into: { readonly case_id: string } | null | undefined
}

/** Says beside a link to a merged case that another case continues it. Whoever works on the merged one works in the wrong place. */
export function MergedNote({ into }: MergedNoteProps): JSX.Element | null {
  if (!into) return null
  return (
    <span className="merged-note">
      <Badge color="blue">Merged</Badge> <CaseLink id={into.case_id} /> continues it
    </span>
  )
}
