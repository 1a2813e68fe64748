import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import type { CaseView } from '../../runtime/api/index.ts'

/** Says that a person must look at a case. */
export function Attention({ found }: { readonly found: CaseView }): JSX.Element | null {
  if (found.superseded !== null) return <Badge color="orange">Superseded</Badge>
  return found.attention.length > 0 ? <Badge color="red">Attention</Badge> : null
}
