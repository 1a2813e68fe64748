import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { me } from '../../api/me.ts'
import { forgetPlaces } from '../../shared/kept-places.ts'
import { forgetBegunSecrets } from '../begun.ts'

/** Forgets what somebody has read, searched, opened and was told, and the secrets that they typed, because somebody else may sit there next. */
export function forgetPerson(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== me.queryKey[0] })
  forgetPlaces()
  forgetBegunSecrets()
  notifications.clean()
}
