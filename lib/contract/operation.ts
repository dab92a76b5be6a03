import { type Static, type TObject, type TSchema, Type } from '../typebox'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** `single` has pipeline 0 only, `multi` has pipelines 0 to 3 and more groups. */
export type Variant = 'single' | 'multi'

/** Schemas by name; optional ones are wrapped in `Type.Optional`. */
export type Fields = Readonly<Record<string, TSchema>>

/** Every operation may also return 413, 415 and 429. */
type ListedStatus = 400 | 403 | 404 | 413 | 500

export interface Body {
  /** A `file` is one multipart field of that name, streamed; the other fields of a form are text. */
  encoding: 'json' | 'form' | 'multipart'
  fields: Fields
  /** Largest file that the device accepts. @default no limit */
  maxBytes?: number
  /** The single field is the whole body instead of a key in it. */
  bare?: true
}

/** One operation of the device's API, as data. Client, server, explorer and documentation are derived from it. */
export interface Operation {
  method: Method
  /** Relative to the base address; `{name}` is a path parameter. */
  path: `/${string}`
  /** In the imperative. The part before a colon names the operation in errors. Translations: `locales`. */
  summary: string
  params?: Fields
  query?: Fields
  body?: Body
  /** Further query keys are parameter names, with the values to write. */
  queryIsOpen?: true
  result: TSchema
  /** Input for which the answer is plain text instead of `result`. */
  textWhen?: Readonly<Record<string, string>>
  /** With the input `format: 'file'` the answer is the file itself, requested as `application/octet-stream`. */
  offersFile?: true
  errors: Partial<Record<ListedStatus, string>>
  ubjson: boolean
  /** Known from real devices: the specification names its group but does not describe it. */
  beyondSpecification?: true
  /** @default both */
  variants?: readonly Variant[]
  /** Can disconnect the device from its cell or its users, or replaces much of its content: must be confirmed. */
  farReaching?: true
  /** Id of the operation that shows whether this write took effect; the write may then be repeated. */
  readBack?: string
}

type Values<F> = F extends Fields ? Static<TObject<F>> : unknown
type OperationFileFormat<O> = O extends { offersFile: true } ? { format?: 'json' | 'file' } : unknown
type BodyValues<B> = B extends Body ? Values<B['fields']> : unknown

/** Path parameters, query, fields of the body and format of files in one object. */
export type InputOf<O extends Operation> = Values<O['params']> &
  Values<O['query']> &
  BodyValues<O['body']> &
  OperationFileFormat<O>

export type ResultOf<O extends Operation> = Static<O['result']>

const FileFormat = Type.Optional(
  Type.String({
    pattern: '^(json|file)$',
    default: 'json',
    description: 'json, or file for the file itself',
  }),
)

/** All input fields of an operation, by name. */
export const inputFields = ({ params, query, body, offersFile }: Operation): Fields => ({
  ...params,
  ...query,
  ...body?.fields,
  ...(offersFile && { format: FileFormat }),
})
