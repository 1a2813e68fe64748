/** Compiles and renders templates (Liquid): single outputs, texts, and YAML values with templates in them. */
export { partsOf, type TemplateOutput } from './guarded.ts'
export { enginesOf, isTemplate, noFilters } from './template.ts'
export { compileText, renderText, type TextTemplate } from './text.ts'
export { compileValue } from './value.ts'
