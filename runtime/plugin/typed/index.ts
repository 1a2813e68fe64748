/**
 * Types of the templates and conditions in plugins: it finds a template that reads what cannot be there, or makes what the field cannot take,
 * before any call is made.
 */
export { checkManifestTypes } from './manifest.ts'
export { checkSkillTypes } from './skills.ts'
