import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { CheckedEntryView } from '../../../runtime/api/index.ts'
import { checkEntry, type EntryBody } from '../../api/integrations.ts'

/** How long typing must rest before the API checks the form, in milliseconds. */
const rest = 300

/**
 * Asks the API what it would say about the form. The last answer stays until the next one arrives, so nothing jumps.
 * @returns null until the first answer
 */
export function useEntryCheck(integration: string, entry: EntryBody): { readonly checked: CheckedEntryView | null; readonly error: Error | null } {
  const [settled] = useDebouncedValue(JSON.stringify(entry), rest)
  const { data, error } = useQuery({
    // Secrets must not stay in the cache after the form is closed.
    queryKey: ['entry-check', integration, settled],
    queryFn: ({ signal }) => checkEntry(integration, JSON.parse(settled) as EntryBody, signal),
    placeholderData: (last) => last,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { checked: data ?? null, error }
}
