import type { Digest } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import { tasks } from '../playbook/index.ts'
import { type Plugin, parsePlugin } from '../plugin/index.ts'
import { readPolicy } from '../policy/index.ts'
import type { CheckAnswer, CheckTask, SentPlugin } from './protocol.ts'

/** Plugins that this process has parsed already, by digest. */
const known = new Map<Digest, Plugin>()

function pluginsOf(sent: readonly SentPlugin[]): ReadonlyMap<string, Plugin> {
  return new Map(
    sent.map(({ id, digest, text }) => {
      const plugin = known.get(digest) ?? parsePlugin(text ?? '')
      known.set(digest, plugin)
      return [id, plugin]
    }),
  )
}

function answer(task: CheckTask): unknown {
  if (task.kind === 'policy') return readPolicy(task.text, task.file, task.skills)
  const run = tasks[task.task] as (input: unknown, plugins: ReadonlyMap<string, Plugin>) => unknown
  return run(task.input, pluginsOf(task.plugins))
}

/** Does one task. Errors in the text are part of the answer. @throws any other error: it is a bug in Tocsin */
export function answerTo(task: CheckTask): CheckAnswer {
  try {
    return { kind: 'answer', value: answer(task) }
  } catch (error) {
    if (!isTocsinError(error)) throw error
    const { code, message, places } = error
    return { kind: 'refused', code, message, places }
  }
}
