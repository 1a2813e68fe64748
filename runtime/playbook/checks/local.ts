import type { PlaybookChecks, TaskInput, TaskName, TaskOutput, Work } from './port.ts'
import { tasks } from './tasks.ts'

/** Checks in this process: where the texts are the operator's own, and in tests. */
export const localChecks: PlaybookChecks = {
  async run<T extends TaskName>(task: T, input: TaskInput<T>, { plugins }: Work): Promise<TaskOutput<T>> {
    // Each task takes its own input; TypeScript does not follow that through the name.
    const run = tasks[task] as (input: TaskInput<T>, plugins: Work['plugins']) => TaskOutput<T>
    return run(input, plugins)
  },
}
