/** What the examples of the operators read. */
export const operatorContext = {
  run: { now: 1_793_523_851_000 },
  vars: {
    user: 'Ada@Example.com',
    ip: '10.1.2.3',
    tags: ['vip', 'admin', 'vip'],
    devices: [{ os: 'iOS', age: 3 }, { os: 'Android' }],
    seen: '2026-11-01T09:00:00Z',
  },
} as const
