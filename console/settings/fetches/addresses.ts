/** The pages of fetches. */
export const pageOfFetch = {
  list: '/settings/fetches',
  new: '/settings/fetches/new',
  change: (id: string) => `/settings/fetches/${encodeURIComponent(id)}/change`,
} as const
