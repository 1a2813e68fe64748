import type { PlaybookChecks, TaskInput, TaskName, TaskOutput, Work } from './port.ts'
import { tasks } from './tasks.ts'

/** Runs checks in this process, for the operator's own texts and for tests. */
export const localChecks: PlaybookChecks = {
  async run<T extends TaskName>(task: T, input: TaskInput<T>, { plugins }: Work): Promise<TaskOutput<T>> {
    // TypeScript cannot tell that the task and the input belong together.
    const run = tasks[task] as (input: TaskInput<T>, plugins: Work['plugins']) => TaskOutput<T>
    return run(input, plugins)
  },
}
