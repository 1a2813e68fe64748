import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import { Foreign } from './foreign.tsx'
import { CaseLink } from './links.tsx'

interface MergedNoteProps {
  /** The case that continues this one. Null: it is not merged. */
  readonly into: { readonly case_id: string } | null | undefined
  /** Whether the note is a link to that case. It is none in a list, where a finger could hit the link above it instead. */
  readonly linked?: boolean
}

/** Says beside a link to a merged case that another case continues it. Whoever works on the merged one works in the wrong place. */
export function MergedNote({ into, linked = true }: MergedNoteProps): JSX.Element | null {
  if (!into) return null
  return (
    <span className="merged-note">
      <Badge color="blue">Merged</Badge>{' '}
      <span className="merged-into">{linked ? <CaseLink id={into.case_id} /> : <Foreign value={into.case_id} />} continues it</span>
    </span>
  )
}

/** The case of a row in a list: its id, and the case that continues it, if there is one. */
export function CaseCell({ id, into }: Pick<MergedNoteProps, 'into'> & { readonly id: string }): JSX.Element {
  if (!into) return <CaseLink id={id} />
  return (
    <span className="case-cell" title={`${id} is merged: ${into.case_id} continues it`}>
      <CaseLink id={id} /> <MergedNote into={into} linked={false} />
    </span>
  )
}
