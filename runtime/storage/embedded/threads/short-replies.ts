import type { Alert, NewAlert } from '../../../domain/index.ts'
import type { ClaimResult, InsertedAlert, RunClaim } from '../../port/index.ts'
import type { Call } from './messages.ts'

/**
 * A reply need not repeat what its call has sent: copying it between threads takes time on both sides. `shorten` leaves such values out, in the
 * store's thread, and `restore` takes them from the call again.
 */
interface Short {
  shorten(value: unknown, call: Call): unknown
  restore(value: unknown, call: Call): unknown
}

const shortReplies: Readonly<Record<string, Short>> = {
  // A new run has the pins that its claim sent, and they are the largest part of it.
  'runs.claim': {
    shorten(value, { parameters }) {
      const claimed = value as ClaimResult
      const { pins } = parameters[1] as RunClaim
      return claimed.kind === 'claimed' && claimed.run.pins === pins ? { ...claimed, run: { ...claimed.run, pins: null } } : claimed
    },
    restore(value, { parameters }) {
      const claimed = value as ClaimResult
      if (claimed.kind !== 'claimed' || claimed.run.pins !== null) return claimed
      return { ...claimed, run: { ...claimed.run, pins: (parameters[1] as RunClaim).pins } }
    },
  },
  // An alert may have a megabyte of content.
  'alerts.insert': {
    shorten(value, { parameters }) {
      const sent = parameters[1] as readonly NewAlert[]
      return (value as readonly InsertedAlert[]).map((one, index) =>
        one.fresh && one.alert.content === sent[index]?.content ? { ...one, alert: { ...one.alert, content: null } } : one,
      )
    },
    restore(value, { parameters }) {
      const sent = parameters[1] as readonly NewAlert[]
      return (value as readonly { readonly alert: Omit<Alert, 'content'> & { readonly content: string | null } }[]).map((one, index) =>
        one.alert.content === null ? { ...one, alert: { ...one.alert, content: sent[index]?.content } } : one,
      )
    },
  },
}

/** In the store's thread: returns the reply to a call, without what the call has sent. */
export function shorten(value: unknown, call: Call): unknown {
  const short = shortReplies[`${call.aggregate}.${call.method}`]
  return short ? short.shorten(value, call) : value
}

/** Returns the whole reply to a call that `shorten` has shortened. */
export function restore(value: unknown, call: Call): unknown {
  const short = shortReplies[`${call.aggregate}.${call.method}`]
  return short ? short.restore(value, call) : value
}
