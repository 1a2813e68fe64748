/** What both ends of the tunnel share: its limits, messages, signatures, sessions, heartbeat and timed chunks. */
export { Heartbeat } from './heartbeat.ts'
export * from './limits.ts'
export { parseGreeting, parseSignIn, type Refusal, type RefusalCode, type SignIn, type Welcome, writeSignIn } from './messages.ts'
export { propose, proves, publicKeyOf } from './proof.ts'
export { beginClientSession, beginServerSession } from './sessions.ts'
export { SocketStream } from './socket-stream.ts'
export { chunkHeader, TimedBytes } from './timed-chunks.ts'
