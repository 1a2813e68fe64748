import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'
import { bundleGlobal } from './protocol.ts'

/** An isolate. It is kept for further calls of its script. */
export interface Cell {
  readonly isolate: ivm.Isolate
  /** The script whose calls it serves. */
  readonly digest: string
  /** Its limit, in mebibytes. */
  readonly memory: number
  /** The prelude and the script, compiled. */
  compiled: ivm.Script | null
  calls: number
  /** The context of its next call, made while the cell was idle. */
  ready: FreshContext | null
}

/** A context for one call. The prelude has run in it, and nothing else. */
interface FreshContext {
  /** The prelude's `Give`. */
  readonly give: ivm.Reference
  /** Hears what the isolate says. Set by the call. */
  hear(number: number, op: string, text: string): void
  /** Lets V8 free everything of the call. */
  release(): void
}

interface Cells {
  /** Returns an idle cell of a script, or a new one. */
  take(digest: string, memory: number): Cell
  /** Returns a context that no call has had. @param script the cell's script, of the digest */
  takeContext(cell: Cell, script: string): Promise<FreshContext>
  /** Keeps a cell for the next call. Nothing of the last one may still run in it. */
  rest(cell: Cell): void
  /** How much memory the idle cells may use, in mebibytes. They still hold what their last call left. */
  readonly idleMemory: number
}

/**
 * A call may leave things that V8 keeps as long as the isolate, such as symbols. So an isolate is
 * replaced after this many calls, or when more than this part of its memory is in use.
 */
const callsOfCell = 1_000
const mostTaken = 1 / 2
const maxIdle = 8
const mebibyte = 1024 * 1024

// A strict function, so that the handler can reach only what it returns: not its variables, nor by `caller` the functions that call the
// handler. Type imports vanish with the types.
const prelude = `(() => {'use strict'\n${stripTypeScriptTypes(readFileSync(new URL('./prelude.ts', import.meta.url), 'utf8'), { mode: 'strip' })}\nreturn begin })()`

/** @param broken called when the engine has failed in a way after which nothing can be trusted */
export function createCells(broken: () => void): Cells {
  const idle: Cell[] = []
  /** The digests of texts that are scripts by themselves. */
  const whole = new Set<string>()
  const cells: Cells = {
    take(digest, memory) {
      const at = idle.findLastIndex((cell) => cell.digest === digest && cell.memory === memory)
      const [cell] = at < 0 ? [] : idle.splice(at, 1)
      if (cell) return cell
      const isolate = new ivm.Isolate({ memoryLimit: memory, onCatastrophicError: broken })
      return { isolate, digest, memory, compiled: null, calls: 0, ready: null }
    },
    async takeContext(cell, script) {
      cell.compiled ??= await compile(cell, script, whole)
      const fresh = cell.ready ?? makeFresh(cell, cell.compiled)
      cell.ready = null
      return fresh
    },
    rest(cell) {
      if (cell.isolate.isDisposed) return
      cell.calls += 1
      const spent = cell.calls >= callsOfCell || usedBy(cell) > cell.memory * mebibyte * mostTaken
      if (spent && !cell.isolate.isDisposed) cell.isolate.dispose()
      if (spent) return
      idle.push(cell)
      if (idle.length > maxIdle) idle.shift()?.isolate.dispose()
      // The call's end goes first.
      setImmediate(() => {
        const at = idle.indexOf(cell)
        if (at < 0) return
        try {
          if (cell.compiled) cell.ready ??= makeFresh(cell, cell.compiled)
        } catch {
          // Its last call has left it without memory. No call is to blame for that, so it ends here.
          idle.splice(at, 1)
          if (!cell.isolate.isDisposed) cell.isolate.dispose()
        }
      })
    },
    get idleMemory() {
      return idle.reduce((sum, { memory }) => sum + memory, 0)
    },
  }
  return cells
}

/** Returns how many bytes of its memory an idle cell uses. Infinity if its engine does not say. */
function usedBy({ isolate }: Cell): number {
  try {
    const heap = isolate.getHeapStatisticsSync()
    return heap.used_heap_size + heap.externally_allocated_size
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * Compiles the prelude, with the script as a function that it calls when the call begins. So nothing of the script runs
 * while a context is made.
 */
async function compile({ isolate, digest }: Cell, script: string, whole: Set<string>): Promise<ivm.Script> {
  // A text that is no script by itself might close the function that is put around it.
  if (!whole.has(digest)) (await isolate.compileScript(script, { filename: digest })).release()
  whole.add(digest)
  const load = `(function () {${script}\nreturn ${bundleGlobal} })`
  return isolate.compileScript(`((begin, load) => (host) => begin(host, load))(${prelude}, ${load})`, { filename: digest })
}

/**
 * Makes a context and runs the prelude in it. Without a detour over another thread, because the
 * isolate is idle and only our own code runs.
 */
function makeFresh({ isolate }: Cell, compiled: ivm.Script): FreshContext {
  const context = isolate.createContextSync()
  const begin: ivm.Reference = compiled.runSync(context, { reference: true })
  const host = new ivm.Reference((number: unknown, op: unknown, body: unknown) =>
    fresh.hear(Number(number), String(op), String(Array.isArray(body) ? body[0] : body)),
  )
  const give: ivm.Reference = begin.applySync(undefined, [host], { result: { reference: true } })
  const handles = [begin, give, host, context]
  const fresh: FreshContext = {
    give,
    hear: () => {},
    release() {
      // A handle that is not released keeps the whole context alive until this process collects its own garbage.
      for (const handle of handles) handle.release()
    },
  }
  return fresh
}
