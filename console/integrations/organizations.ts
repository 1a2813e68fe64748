import { useQuery } from '@tanstack/react-query'
import { wholeList } from '../api/whole-list.ts'
import { useMay } from '../shell/who.ts'

/** The codes of the organizations that the key may see. Empty if it may not list them. Null: not known yet. */
export function useOrganizations(): readonly string[] | null {
  const allowed = useMay()('organizations:read')
  const { data, error } = useQuery({
    queryKey: ['organization-codes'],
    queryFn: ({ signal }) => wholeList<{ readonly code: string }>('/platformapi/organizations', signal),
    enabled: allowed,
  })
  if (!allowed || error) return []
  return data ? data.map(({ code }) => code) : null
}
