/** Filters of liquidjs that templates do not have: they read a clock or randomness, or evaluate expressions that lint cannot see. */
export const withheldFilters: readonly string[] = [
  'sample',
  'raw',
  'where_exp',
  'reject_exp',
  'group_by_exp',
  'has_exp',
  'find_index_exp',
  'find_exp',
]
