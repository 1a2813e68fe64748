import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import ivm from 'isolated-vm'

/** An isolate. It is kept for further calls of its script. */
export interface Cell {
  readonly isolate: ivm.Isolate
  /** The script whose calls it serves. */
  readonly digest: string
  /** Its limit, in mebibytes. */
  readonly memory: number
  readonly scripts: Map<string, ivm.Script>
  calls: number
  /** The context of its next call, made while the cell was idle. */
  ready: FreshContext | null
}

/** A context for one call. The prelude has run in it, and nothing else. */
interface FreshContext {
  readonly context: ivm.Context
  /** The functions of the prelude's `Begun`. */
  readonly load: ivm.Reference
  readonly answer: ivm.Reference
  readonly run: ivm.Reference
  /** Hears what the isolate says. Set by the call. */
  hear(number: number, op: string, text: string): void
  /** Lets V8 free everything of the call. */
  release(): void
}

interface Cells {
  /** Returns an idle cell of a script, or a new one. */
  take(digest: string, memory: number): Cell
  /** Returns a context that no call has had. */
  takeContext(cell: Cell): FreshContext
  scriptOf(cell: Cell, text: string): Promise<ivm.Script>
  /** Keeps a cell for the next call. Nothing of the last one may still run in it. @param used bytes of its memory */
  rest(cell: Cell, used: number): void
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

// A function, so that the handler can reach only what it returns. Type imports vanish with the types.
const prelude = `(() => {${stripTypeScriptTypes(readFileSync(new URL('./prelude.ts', import.meta.url), 'utf8'), { mode: 'strip' })}\nreturn begin })()`

/** @param broken called when the engine has failed in a way after which nothing can be trusted */
export function createCells(broken: () => void): Cells {
  const idle: Cell[] = []
  const cells: Cells = {
    take(digest, memory) {
      const at = idle.findLastIndex((cell) => cell.digest === digest && cell.memory === memory)
      const [cell] = at < 0 ? [] : idle.splice(at, 1)
      if (cell) return cell
      const isolate = new ivm.Isolate({ memoryLimit: memory, onCatastrophicError: broken })
      return { isolate, digest, memory, scripts: new Map(), calls: 0, ready: null }
    },
    takeContext(cell) {
      const fresh = cell.ready ?? makeFresh(cell)
      cell.ready = null
      return fresh
    },
    async scriptOf(cell, text) {
      return cell.scripts.get(cell.digest) ?? keep(cell, cell.digest, await cell.isolate.compileScript(text, { filename: cell.digest }))
    },
    rest(cell, used) {
      if (cell.isolate.isDisposed) return
      cell.calls += 1
      if (cell.calls >= callsOfCell || used > cell.memory * mebibyte * mostTaken) return cell.isolate.dispose()
      idle.push(cell)
      if (idle.length > maxIdle) idle.shift()?.isolate.dispose()
      // The call's end goes first.
      setImmediate(() => {
        const at = idle.indexOf(cell)
        if (at < 0) return
        try {
          cell.ready ??= makeFresh(cell)
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

function keep(cell: Cell, name: string, script: ivm.Script): ivm.Script {
  cell.scripts.set(name, script)
  return script
}

/**
 * Makes a context and runs the prelude in it. Without a detour over another thread, because the
 * isolate is idle and only our own code runs.
 */
function makeFresh(cell: Cell): FreshContext {
  const context = cell.isolate.createContextSync()
  const script = cell.scripts.get('prelude') ?? keep(cell, 'prelude', cell.isolate.compileScriptSync(prelude, { filename: 'prelude' }))
  const begin: ivm.Reference = script.runSync(context, { reference: true })
  const host = new ivm.Reference((number: unknown, op: unknown, body: unknown) =>
    fresh.hear(Number(number), String(op), String(Array.isArray(body) ? body[0] : body)),
  )
  const begun: ivm.Reference = begin.applySync(undefined, [host], { result: { reference: true } })
  const [load, answer, run] = ['load', 'answer', 'run'].map((name) => begun.getSync(name, { reference: true })) as [
    ivm.Reference,
    ivm.Reference,
    ivm.Reference,
  ]
  const handles = [begin, begun, load, answer, run, host, context]
  const fresh: FreshContext = {
    context,
    load,
    answer,
    run,
    hear: () => {},
    release() {
      // A handle that is not released keeps the whole context alive until this process collects its own garbage.
      for (const handle of handles) handle.release()
    },
  }
  return fresh
}
