import { queryOptions } from '@tanstack/react-query'
import type { SignedInView } from '../../runtime/api/index.ts'
import { ask } from './ask.ts'

/** Who is signed in, and what the key may do. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => ask<SignedInView>('GET', '/console/me', undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
})
