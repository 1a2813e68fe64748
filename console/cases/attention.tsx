import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import type { CaseView } from '../../runtime/api/index.ts'

/** Says that a person must look at a case. */
export function Attention({ found }: { readonly found: CaseView }): JSX.Element | null {
  if (found.superseded !== null)
    return (
      <Badge color="orange" className="attention">
        Superseded
      </Badge>
    )
  if (found.attention.length === 0) return null
  return (
    <Badge color="red" className="attention">
      Attention
    </Badge>
  )
}
