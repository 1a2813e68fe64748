/**
 * What a handler may ask of the host, and who does it. `asks.ts` reads and checks a question; `service.ts` answers it: it sends requests, waits,
 * reads pages and streams, and writes log lines. It knows how much of the call has reached the outside world.
 */
export { AskRefused, readAsk } from './asks.ts'
export { HandlerService } from './service.ts'
