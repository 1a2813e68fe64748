import { setFlagsFromString } from 'node:v8'

// The flag of the command line is for the main thread, whose heap has begun with it. For the threads that follow it would outweigh the limits
// that they are given.
setFlagsFromString('--max-semi-space-size=0')

// V8 collects old objects when a heap has 2.8 times the size of what was alive after the last time, and a little more. By itself it lets a small
// heap grow to four times that size. The factor is the same for a heap of any size, so this is no limit.
setFlagsFromString('--heap-growing-percent=180')
