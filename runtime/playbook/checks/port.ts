import type { Plugin } from '../../plugin/index.ts'
import type { tasks } from './tasks.ts'

type Tasks = typeof tasks
export type TaskName = keyof Tasks
export type TaskInput<T extends TaskName> = Parameters<Tasks[T]>[0]
export type TaskOutput<T extends TaskName> = ReturnType<Tasks[T]>

/** The owner of a check, and the plugins that it uses. */
export interface Work {
  /** Who asked, see `ownerOf`. Owners take turns. */
  readonly owner: string
  /** The plugins that playbooks may use, by integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
}

/**
 * Reads, lints, compiles and compares the texts of playbooks. Their authors decide how much that costs. Inputs and outputs are plain data, so
 * that another process can do it.
 */
export interface PlaybookChecks {
  /**
   * @throws TocsinError of the task; `check_timeout`, `check_memory` or `check_died` if it takes too much; `overloaded` if too many checks
   * already wait
   */
  run<T extends TaskName>(task: T, input: TaskInput<T>, work: Work): Promise<TaskOutput<T>>
}
