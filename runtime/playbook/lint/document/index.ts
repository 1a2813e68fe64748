/**
 * What lint rules read in a document: its steps, the skills they call, their texts and
 * expressions. Also the edits of fixes.
 */
export { replaceIn, replaceValue, withFix } from './edits.ts'
export { closingExpressions, type Expression, expressionsOf, pollConditionOf } from './expressions.ts'
export { respelling } from './misspelt.ts'
export { type Branch, listsOf, outlineOf, type StepNode, withNested } from './outline.ts'
export { fits, holdsTemplate, isThere, type PartialInput, partialInput } from './partial-input.ts'
export { renderedIn } from './rendered.ts'
export { type CalledSkill, calledBy, callsOf, inputSchema, slotOf } from './skills.ts'
export { type FoundString, stringsIn } from './strings.ts'
