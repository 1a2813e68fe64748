/** Commands for the versions of a playbook on a running Tocsin: `activate`, `import`, `rollback`, `withdraw`, `show`, `history` and `diff`. */
export { activateCommand, importCommand, rollbackCommand, withdrawCommand } from './activate.ts'
export { diffCommand } from './diff.ts'
export { historyCommand } from './history.ts'
export { showCommand } from './show.ts'
