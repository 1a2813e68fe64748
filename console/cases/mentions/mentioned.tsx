import { Text } from '@mantine/core'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { MentionView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf } from '../../shared/links.tsx'
import { Time } from '../../shared/time/time.tsx'

/** A comment that mentions the person: its case, its beginning, who wrote it, and a link to it. */
export function Mentioned({ mention: { case_id, title, entry, at, by, text } }: { readonly mention: MentionView }): JSX.Element {
  return (
    <>
      <div className="mentioned">
        <Link href={addressOf.entry(case_id, entry)}>
          {case_id} <Foreign value={title} />
        </Link>
        <Text size="sm" lineClamp={2} className="case-line">
          {by !== null && (
            <span className="quiet">
              <Foreign value={by} />:{' '}
            </span>
          )}
          <Foreign value={text} />
        </Text>
      </div>
      <span className="quiet">
        <Time at={at} />
      </span>
    </>
  )
}
