/**
 * The process at the customer. It dials out to the platform, and connects to the systems that its allow-list has. It imports
 * nothing of the runtime but `link/`, so that it stays small.
 */

export type { Tunnel } from '../link/index.ts'
export { createAllowList } from './allow-list.ts'
export { dialer, reasonOf } from './dial.ts'
export { loadKey } from './identity.ts'
export { systemNames } from './machine.ts'
export { agentMain, nodeTooOld } from './main.ts'
export { Names } from './names.ts'
export { agentOptions, readOptions } from './options.ts'
export { newShare, type Share, serveTunnel } from './serve-tunnel.ts'
export { type SignedIn, SignInRefused, signIn, signInInTime } from './sign-in.ts'
export { delayAfter, type StayDeps, stayConnected } from './stay-connected.ts'
