/** What a call did outside, as far as Tocsin can know. `unknown`: it was sent, and nobody knows whether it happened. */
export type Effect = 'not_sent' | 'refused' | 'done' | 'unknown'
