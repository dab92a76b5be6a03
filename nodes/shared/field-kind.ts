/** The sources of a typed field: the kinds of the editor's typed input; a `form` is JSON with references. */
export type FieldKind =
  | 'str'
  | 'num'
  | 'bool'
  | 'json'
  | 'form'
  | 'msg'
  | 'flow'
  | 'global'
  | 'jsonata'
  | 'env'

/** Fields whose kind is stored beside them: `pipeline` and `pipelineType`. */
export type TypedName<Fields> = {
  [Name in keyof Fields & string]: `${Name}Type` extends keyof Fields ? Name : never
}[keyof Fields & string]
