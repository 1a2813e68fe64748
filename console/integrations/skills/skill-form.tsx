import { Validator } from '@cfworker/json-schema'
import { Form } from '@rjsf/mantine'
import type { ErrorSchema, RJSFSchema, UiSchema, ValidatorType } from '@rjsf/utils'
import type { JSX } from 'react'
import type { SkillPreviewView } from '../../../runtime/api/index.ts'
import { isObject } from './schema-rows.ts'

/** The form library asks which branches of a schema fit. The API says what is wrong with the input, so nothing else is checked here. */
const branches: ValidatorType<unknown> = {
  isValid(schema, data, root) {
    try {
      const whole = { ...schema, ...(isObject(root) && '$defs' in root && { $defs: root['$defs'] }) }
      return new Validator(whole as ConstructorParameters<typeof Validator>[0], '2020-12').validate(data).valid
    } catch {
      return false
    }
  },
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
}

const look: UiSchema = { 'ui:submitButtonOptions': { norender: true }, 'ui:globalOptions': { enableMarkdownInDescription: false } }

interface SkillFormProps {
  readonly schema: unknown
  readonly value: unknown
  readonly faults: SkillPreviewView['faults']
  readonly disabled: boolean
  onChange(value: unknown): void
}

/**
 * The input of a skill as a form, from its JSON Schema. Fields that nobody has filled in are left out of the input: the API adds the
 * defaults, and an empty object would be sent to the external system.
 */
export function SkillForm({ schema, value, faults, disabled, onChange }: SkillFormProps): JSX.Element {
  return (
    <Form
      schema={schema as RJSFSchema}
      uiSchema={look}
      formData={value}
      validator={branches}
      extraErrors={errorsOf(faults)}
      disabled={disabled}
      experimental_defaultFormStateBehavior={{ emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' } }}
      noValidate
      noHtml5Validate
      showErrorList={false}
      tagName="div"
      idPrefix="input"
      onChange={({ formData }) => onChange(formData)}
    >
      <span />
    </Form>
  )
}

/** Makes the library's tree of errors from the API's dotted paths. */
function errorsOf(faults: SkillPreviewView['faults']): ErrorSchema {
  const root: Record<string, unknown> = {}
  for (const { field, message } of faults) {
    let at = root
    for (const key of field === '' ? [] : field.split('.')) {
      // The path comes from a schema and may name a key of the prototype, which is not a field.
      if (key === '__proto__') break
      const next = Object.hasOwn(at, key) ? at[key] : {}
      at[key] = next
      at = next as Record<string, unknown>
    }
    at['__errors'] = [...((at['__errors'] as readonly string[] | undefined) ?? []), message]
  }
  return root as ErrorSchema
}
