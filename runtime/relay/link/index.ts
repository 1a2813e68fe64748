/** What both ends of the tunnel share: its limits, messages, signatures, frames, streams and heartbeat. */
export { readOpened, readRefused, readTarget, writeOpened, writeRefused, writeTarget } from './calls.ts'
export { Channel } from './channel.ts'
export { type Frame, readFrame, writeFrame } from './frames.ts'
export * from './limits.ts'
export { parseGreeting, parseSignIn, type Refusal, type RefusalCode, type SignIn, type Welcome, writeSignIn } from './messages.ts'
export { propose, proves, publicKeyOf } from './proof.ts'
export { type Answer, type Request, Tunnel, TunnelLost } from './tunnel.ts'
export { type Corkable, connectionOf, Wire } from './wire.ts'
