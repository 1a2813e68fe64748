/** The Tocsins that run on this machine: a server writes its address to a file, and the command line finds it there. */
export { announceServer, type RunningServer, runningServers } from './servers.ts'
