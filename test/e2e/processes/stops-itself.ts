/** Preloaded into a process: sends it the signal `SIGNAL` when its main thread loads a file whose URL contains `AT`. */
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let sent = false
  registerHooks({
    load(url, context, next) {
      if (!sent && url.includes(process.env['AT'] ?? '')) {
        sent = true
        process.kill(process.pid, process.env['SIGNAL'])
      }
      return next(url, context)
    },
  })
}
