import { isTocsinError } from '../errors/index.ts'
import { tasks } from '../playbook/authoring/index.ts'
import { KeptPlugins, type Plugin } from '../plugin/index.ts'
import { readPolicy } from '../policy/index.ts'
import type { CheckAnswer, CheckTask } from './protocol.ts'

const kept = new KeptPlugins()

function answer(task: CheckTask): unknown {
  if (task.kind === 'policy') return readPolicy(task.text, task.file, task.skills)
  const run = tasks[task.task] as (input: unknown, plugins: ReadonlyMap<string, Plugin>) => unknown
  return run(task.input, kept.of(task.plugins))
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
