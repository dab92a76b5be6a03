/** Where a typed field takes its value from: the kinds of the editor's typed input; a `form` is JSON with references. */
export type FieldKind =
  'str' | 'num' | 'bool' | 'json' | 'form' | 'msg' | 'flow' | 'global' | 'jsonata' | 'env'

/** Fields with a kind of their own, stored beside them: `pipeline` and `pipelineType`. */
export type TypedName<Fields> = {
  [Name in keyof Fields & string]: `${Name}Type` extends keyof Fields ? Name : never
}[keyof Fields & string]
