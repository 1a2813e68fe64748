/** What the examples of the filters read. */
export const filterContext = {
  vars: {
    name: 'Ada Lovelace',
    list: [3, 1, 2, 3],
    words: ['b', 'C', 'a'],
    users: [
      { name: 'ada', age: 36, admin: true },
      { name: 'bob', age: 17 },
    ],
    time: '2026-11-01T09:04:11Z',
    url: 'https://example.com/a b?c=d&e',
    number: -7.25,
    gaps: [1, null, 2],
  },
} as const
