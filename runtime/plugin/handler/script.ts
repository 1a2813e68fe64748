import { type BuildFailure, bundleText, type Message, TooCostly } from '../../bundle/index.ts'
import type { Clock, Json, Millis, OrganizationId } from '../../domain/index.ts'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { durationText } from '../../formats/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { Bundle } from '../bundle.ts'
import { type Isolates, mostMoves } from '../isolate/pool.ts'
import { bundleGlobal, type IsolateEnd, mostText } from '../isolate/protocol.ts'
import { cutMessage, readFinish } from './finish.ts'
import type { Listening } from './told.ts'

/** A fault that keeps a script from running. */
interface ScriptFault {
  readonly kind: 'invalid' | 'import' | 'no_default'
  readonly message: string
  /** The place of the fault, in characters from the start of the source. */
  readonly offset: number
}

export type BundledScript = { readonly bundle: Bundle } | { readonly faults: readonly ScriptFault[] }

const global = '__tocsin_script'
/**
 * Runs before a script. A script must be a pure function of its arguments, so this removes what
 * differs from run to run: the clock and randomness.
 */
const before = `{
const none = (what) => { throw new Error('A script has no ' + what) }
const time = 'clock; give it run.now with its arguments.'
const System = Date
const Settled = function Date(...args) { return args.length === 0 || !new.target ? none(time) : Reflect.construct(System, args, new.target) }
Settled.prototype = System.prototype
Object.assign(Settled, { parse: System.parse, UTC: System.UTC, now: () => none(time) })
Object.defineProperty(System.prototype, 'constructor', { value: Settled })
globalThis.Date = Settled
const shown = Intl.DateTimeFormat.prototype
const { get } = Object.getOwnPropertyDescriptor(shown, 'format')
const { formatToParts } = shown
Object.defineProperty(shown, 'format', { get() { const bound = get.call(this); return (date) => bound(date ?? none(time)) } })
shown.formatToParts = function (date) { return formatToParts.call(this, date ?? none(time)) }
Math.random = () => none('randomness.')
}`
const after = `var ${bundleGlobal}={default:({input})=>{const run=${global}.default;if(typeof run!=='function')throw new TypeError('The default export is not a function.');return run(input)}}`

const noImports = 'a script cannot import anything; pass what it needs as arguments'
const tooCostly = 'this takes too much time or memory to compile; write it with less nesting'

const kept = new Map<string, BundledScript>()
const maxKept = 200

/**
 * Compiles a script (TypeScript or JavaScript, one module without imports) for an isolate. Sources
 * that were compiled before are cached.
 */
export function bundleScript(source: string): BundledScript {
  const standing = kept.get(source)
  if (standing) return standing
  if (kept.size >= maxKept) kept.clear()
  const made = build(source)
  kept.set(source, made)
  return made
}

function build(source: string): BundledScript {
  try {
    const { outputFiles, metafile } = bundleText({
      stdin: { contents: source, loader: 'ts', sourcefile: 'script.ts' },
      bundle: true,
      write: false,
      metafile: true,
      format: 'iife',
      globalName: global,
      platform: 'neutral',
      target: 'es2024',
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      // Report an import even if it is not used.
      tsconfigRaw: '{"compilerOptions":{"verbatimModuleSyntax":true}}',
      banner: { js: before },
      footer: { js: after },
    })
    const text = outputFiles[0]?.text ?? ''
    // esbuild does not resolve URLs such as `https:`, so they remain as imports.
    const [outside] = Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports)
    if (outside) return { faults: [{ kind: 'import', message: noImports, offset: Math.max(source.indexOf(outside.path), 0) }] }
    // This is how esbuild writes a default export.
    if (!/\bdefault: \(\) =>/.test(text)) {
      return { faults: [{ kind: 'no_default', message: 'the script has no default export; write `export default (args) => …`', offset: 0 }] }
    }
    return { bundle: { digest: digestOf(text), text } }
  } catch (error) {
    if (error instanceof TooCostly) return { faults: [{ kind: 'invalid', message: tooCostly, offset: 0 }] }
    const { errors } = error as Partial<BuildFailure>
    if (!Array.isArray(errors)) throw error
    return { faults: errors.map((message) => faultOf(source, message)) }
  }
}

function faultOf(source: string, { location, text }: Message): ScriptFault {
  const lines = source.split('\n')
  const row = (location?.line ?? 1) - 1
  // esbuild counts bytes.
  const column = Buffer.from(lines[row] ?? '')
    .subarray(0, location?.column ?? 0)
    .toString().length
  const offset = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + column
  if (text.startsWith('Could not resolve')) return { kind: 'import', message: noImports, offset }
  return { kind: 'invalid', message: text.replace(/^./, (first) => first.toLowerCase()), offset }
}

/** How a script ended. */
type ScriptEnd =
  | { readonly kind: 'returned'; readonly value: Json }
  | { readonly kind: 'failed'; readonly code: 'script_failed' | 'script_timeout' | 'script_memory' | 'output_too_large'; readonly message: string }
  | { readonly kind: 'stopped' }
  /** No slot was free in time. The script has not started; ask again later. */
  | { readonly kind: 'busy' }

/** One run of a script. */
interface ScriptCall {
  /** The organization that the script runs for. Organizations share the slots. */
  readonly organization: OrganizationId
  readonly bundle: Bundle
  readonly args: Json
  /** The time-out of the script's code, from when it starts. */
  readonly timeout: Millis
  /** The most characters that its answer may have. */
  readonly mostOutput: number
  /** Ends the script as `stopped`. */
  readonly signal: AbortSignal
}

/** Runs scripts. */
export interface Scripts {
  run(call: ScriptCall): Promise<ScriptEnd>
}

const mebibyte = 1024 * 1024
const memory = 64 * mebibyte
/** The most characters that the message about a script's end has in addition to its answer. */
const around = 100

/** Runs scripts. They can use nothing of the host. */
export function createScripts(isolates: Isolates, clock: Clock, turns: Turns = noTurns): Scripts {
  const live = async (
    { organization, bundle, args, timeout, mostOutput, signal }: ScriptCall,
    kind: 'first' | 'again' | 'alone',
  ): Promise<IsolateEnd | 'late'> => {
    const ending = new AbortController()
    let late = false
    let cancel = (): void => {}
    try {
      const end = await isolates.run({
        owner: organization,
        bundle,
        memory,
        limits: { text: { ...mostText, characters: Math.min(mostOutput, mostText.characters) + around }, asks: 0 },
        start: JSON.stringify({ input: args, fields: {}, call: { key: '', now: 0 } }),
        signal: AbortSignal.any([signal, ending.signal]),
        again: kind !== 'first',
        alone: kind === 'alone',
        begun: () => {
          cancel = clock.after(timeout, () => {
            late = true
            ending.abort()
          })
        },
        ask: () => Promise.reject(new Error('A script cannot ask for anything.')),
      })
      return late && end.kind === 'stopped' ? 'late' : end
    } finally {
      cancel()
    }
  }
  return {
    async run(call) {
      let end = await live(call, 'first')
      for (let moved = 0; end !== 'late' && end.kind === 'displaced' && moved < mostMoves; moved += 1) end = await live(call, 'again')
      // Another call may have killed the isolate process.
      if (end !== 'late' && (end.kind === 'died' || end.kind === 'displaced')) end = await live(call, 'alone')
      return concluded(end, call.timeout, { turns, owner: call.organization })
    },
  }
}

async function concluded(end: IsolateEnd | 'late', timeout: Millis, listening: Listening): Promise<ScriptEnd> {
  if (end === 'late') return { kind: 'failed', code: 'script_timeout', message: `It took longer than ${durationText(timeout)}.` }
  switch (end.kind) {
    case 'stopped':
    case 'busy':
      return { kind: end.kind }
    case 'memory':
      return { kind: 'failed', code: 'script_memory', message: `It used more than ${memory / mebibyte} MiB.` }
    case 'died':
    case 'displaced':
      return { kind: 'failed', code: 'script_failed', message: 'The isolate process ended while the script ran.' }
    case 'broken':
      return { kind: 'failed', code: 'script_failed', message: end.message }
    case 'excess':
      return { kind: 'failed', code: 'output_too_large', message: end.message }
    case 'finished': {
      const finish = await readFinish(end.body, listening)
      if (finish.kind === 'returned') return { kind: 'returned', value: finish.output }
      return {
        kind: 'failed',
        code: 'script_failed',
        message: 'message' in finish ? cutMessage(finish.message) : 'It reported an impossible result.',
      }
    }
  }
}
