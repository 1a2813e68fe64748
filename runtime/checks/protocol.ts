import type { ErrorCode, ErrorPlace } from '../errors/index.ts'
import type { TaskInput, TaskName } from '../playbook/index.ts'
import type { SentPlugin } from '../plugin/index.ts'
import type { KnownSkills } from '../policy/index.ts'

/** One task for a process that checks texts. */
export type CheckTask =
  | { readonly kind: 'playbook'; readonly task: TaskName; readonly input: TaskInput<TaskName>; readonly plugins: readonly SentPlugin[] }
  | { readonly kind: 'policy'; readonly text: string; readonly file: string; readonly skills: KnownSkills }

export type CheckAnswer =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly places: readonly ErrorPlace[] }
