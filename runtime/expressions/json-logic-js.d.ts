/** The package has no types of its own. */
declare module 'json-logic-js' {
  interface JsonLogic {
    apply(rule: unknown, data: unknown): import('../domain/index.ts').Json
    /** For the whole process. `this` is the data in scope. */
    add_operation(name: string, apply: (this: unknown, ...values: never[]) => unknown): void
    rm_operation(name: string): void
  }
  const jsonLogic: JsonLogic
  export default jsonLogic
}
