/** The text of a new policy: the defaults, written out. */
export const template = `format: 1
# When people are asked before a call that changes something.
approvals:
  high: ask
# The most changes of one run, and how often each skill may be called.
limits:
  quotas:
    high: { calls: 20, per: 1h }
# What no call may touch: names, or match with a pattern.
protected: []
`
