/**
 * Types of the templates and conditions in plugins. Finds templates that read what does not exist,
 * or that give a field a value of the wrong type, before any call is made.
 */
export { checkManifestTypes } from './manifest.ts'
export { checkSkillTypes } from './skills.ts'
