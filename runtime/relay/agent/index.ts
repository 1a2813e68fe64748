/**
 * The process at the customer. It dials out to the platform, and connects to the systems that its allow-list has. It imports
 * nothing of the runtime but `link/`, so that it stays small.
 */
export { createAllowList } from './allow-list.ts'
export { serveTunnel, type Tunnel } from './serve-tunnel.ts'
export { type SignedIn, signIn } from './sign-in.ts'
