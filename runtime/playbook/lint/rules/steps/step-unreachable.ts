import { defineRule } from '../../rule.ts'

export const stepUnreachable = defineRule({
  codes: {
    step_unreachable: {
      severity: 'error',
      title: 'A step is never reached',
      why: 'On every path, the run stops before this step.',
      wrong: '- id: halt\n  stop: { outcome: completed, reason: Nothing to do }\n- id: say\n  case: { note: Never said }',
      right: '- id: say\n  case: { note: Said }\n- id: halt\n  stop: { outcome: completed, reason: Nothing to do }',
    },
  },
  check({ flow, document }, report) {
    for (const { step, after } of flow.dead) {
      const { line } = document.locate(after.path)
      const why = after.kind === 'stop' ? `the run stops on line ${line}` : `the run stops whichever way \`${after.id}\` (line ${line}) goes`
      report.at('step_unreachable', step.path, `this step is never reached: ${why}`)
    }
  },
})
