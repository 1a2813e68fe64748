import type { PlaybookChecks, TaskInput, TaskName, TaskOutput, Work } from './port.ts'

/** Runs checks in this process, for the operator's own texts and for tests. */
export const localChecks: PlaybookChecks = {
  async run<T extends TaskName>(task: T, input: TaskInput<T>, { plugins }: Work): Promise<TaskOutput<T>> {
    // Loaded for an import and the command line. A process that runs playbooks has its texts checked by others.
    const { tasks } = await import('./tasks.ts')
    // TypeScript cannot tell that the task and the input belong together.
    const run = tasks[task] as (input: TaskInput<T>, plugins: Work['plugins']) => TaskOutput<T>
    return run(input, plugins)
  },
}
