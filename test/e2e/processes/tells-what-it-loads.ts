/** Preloaded into a process: when it says that it listens, it writes which files its main thread has loaded to the file `LOADED`. */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const loaded: string[] = []

if (isMainThread) {
  registerHooks({
    load(url, context, next) {
      loaded.push(url)
      return next(url, context)
    },
  })
  process.stdout.write = new Proxy(process.stdout.write, {
    apply(write, stdout, parameters: [string]) {
      if (parameters[0].includes('listens on')) writeFileSync(process.env['LOADED'] ?? '', JSON.stringify(loaded))
      return Reflect.apply(write, stdout, parameters)
    },
  })
}
