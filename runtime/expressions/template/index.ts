/** Compiles and renders templates (Liquid): single outputs, texts, and YAML values with templates in them. */
export { parsedTemplate } from './parsed.ts'
export { partsOf, type TemplateOutput } from './parts.ts'
export { isTemplate, noFilters } from './template.ts'
export { compileText, renderText, type TextTemplate } from './text.ts'
export { compileValue } from './value.ts'
