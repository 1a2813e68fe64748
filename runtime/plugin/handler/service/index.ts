/**
 * What a handler may ask of the host. `asks.ts` reads and checks an ask. `service.ts` answers
 * it: it sends requests, waits, reads pages and streams, and writes log lines. It tracks how much
 * of the call has reached the outside world.
 */
export { AskRefused, readAsk } from './asks.ts'
export { HandlerService } from './service.ts'
