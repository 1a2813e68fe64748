import { useQuery } from '@tanstack/react-query'
import type { PageView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { useMay } from '../shell/who.ts'

/** The codes of the organizations that the key may see. Empty if it may not list them. Null: not known yet. */
export function useOrganizations(): readonly string[] | null {
  const allowed = useMay()('organizations:read')
  const { data, error } = useQuery({
    queryKey: ['organization-codes'],
    queryFn: ({ signal }) => ask<PageView<{ readonly code: string }>>('GET', '/platformapi/organizations?limit=1000', undefined, signal),
    enabled: allowed,
  })
  if (!allowed || error) return []
  return data ? data.items.map(({ code }) => code) : null
}
