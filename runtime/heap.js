import { setFlagsFromString } from 'node:v8'

// The flag of the command line is for the main thread, whose heap has begun with it. For the threads that follow it would outweigh the limits
// that they are given.
setFlagsFromString('--max-semi-space-size=0')
