import { agentMain } from './main.ts'

/** Set by the bundler. */
declare const TOCSIN_VERSION: string

void agentMain(process.argv.slice(2), TOCSIN_VERSION)
