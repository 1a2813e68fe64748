/** What a call did to the outside world, as far as the host can know. `unknown`: it was sent, and nobody knows whether it happened. */
export type Effect = 'not_sent' | 'refused' | 'done' | 'unknown'
