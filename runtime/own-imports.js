// Says where an import of one of our files leads, without asking the file system. Node would look for the file, follow its links and search for a
// `package.json` that says what kind of file it is, for each of the 4,500 imports of a start (decision 117). Every thread needs it for itself.
import { registerHooks } from 'node:module'

const folder = new URL('.', import.meta.url).href

registerHooks({
  resolve(name, context, next) {
    const own = name.startsWith('.') && name.endsWith('.ts') && context.parentURL?.startsWith(folder)
    return own ? { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true } : next(name, context)
  },
})
