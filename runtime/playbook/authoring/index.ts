/**
 * What examines and generates the texts of playbooks: lint, its registry, the impact, the schema for editors, the generator, and the tasks
 * that use them. Only the processes that check texts and the command line import it. A process that runs playbooks loads it for an import.
 */
export { tasks } from '../checks/tasks.ts'
export { editorSchema, integrationsOf, namesIn } from '../editor/index.ts'
export { generatePlaybook } from '../generate/index.ts'
export { impactOf, overBudget } from '../impact/index.ts'
export { applyFixes, lintFiles, lintPlaybook, lintWorld } from '../lint/index.ts'
export { examplePlaybooks, findingRegistry, renderLintIndex, renderLintPage, wholeExample } from '../registry/index.ts'
