import type { Plugin } from '../../plugin/index.ts'
import type { tasks } from './tasks.ts'

type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<T extends TaskName> = Parameters<Tasks[T]>[0]
export type TaskOutput<T extends TaskName> = ReturnType<Tasks[T]>

/** For whom something is checked, and against what. */
export interface Work {
  /** Who asked: an organization, or whoever is none. Owners take turns. */
  readonly owner: string
  /** The plugins that playbooks may name, by integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
}

/**
 * Does with the texts of playbooks what costs as much as their author likes: reading, linting, compiling, comparing. Inputs and outputs are
 * plain data, so that another process can do it.
 */
export interface PlaybookChecks {
  /**
   * @throws TocsinError of the task; `check_timeout`, `check_memory` and `check_died` where it takes more than it may; `overloaded` where
   * too many wait
   */
  run<T extends TaskName>(task: T, input: TaskInput<T>, work: Work): Promise<TaskOutput<T>>
}
