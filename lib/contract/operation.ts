import type { Static, TObject, TSchema } from '@sinclair/typebox'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** The two device variants: `single` knows pipeline 0 only, `multi` knows pipelines 0 to 3 and more groups. */
export type Variant = 'single' | 'multi'

/** Named values and their schemas; optional ones are wrapped in `Type.Optional`. */
export type Fields = Readonly<Record<string, TSchema>>

/** Statuses that an operation can list as its own. 413, 415 and 429 may come from every operation. */
type ListedStatus = 400 | 403 | 404 | 413 | 500

export interface Body {
  /** How the body travels. A `file` is one multipart field of that name, streamed; others of a form are texts. */
  encoding: 'json' | 'form' | 'multipart'
  fields: Fields
  /** Largest file that the device takes; without it there is no limit. */
  maxBytes?: number
  /** The one field is the whole body instead of a key in it. */
  bare?: true
}

/** One operation of the device's API, as data. Client, server, explorer and documents are derived from it. */
export interface Operation {
  method: Method
  /** Below the base address; `{name}` stands for a path parameter. */
  path: `/${string}`
  /**
   * What it does, in the imperative. Up to a colon it names the operation in errors; what follows is for lists and
   * docstrings. Other languages: `locales`.
   */
  summary: string
  params?: Fields
  query?: Fields
  body?: Body
  /** Query keys beyond `query` are parameter names and their values. */
  queryIsOpen?: true
  result: TSchema
  /** Input with which the answer is plain text instead of `result`. */
  textWhen?: Readonly<Record<string, string>>
  /** With the input `format: 'file'` the answer is the file itself; it is asked for as `application/octet-stream`. */
  offersFile?: true
  errors: Partial<Record<ListedStatus, string>>
  /** The device offers UBJSON besides JSON. */
  ubjson: boolean
  /** Known from devices: the specification names its group and does not show it. */
  beyondSpecification?: true
  /** @default both */
  variants?: readonly Variant[]
  /** A write that may be repeated, because this operation shows whether it took effect. */
  readBack?: string
}

type Values<F> = F extends Fields ? Static<TObject<F>> : unknown
type FileFormat<O> = O extends { offersFile: true } ? { format?: 'json' | 'file' } : unknown
type BodyValues<B> = B extends Body ? Values<B['fields']> : unknown

/** All inputs of an operation in one object: path parameters, query, the fields of the body, the format of files. */
export type InputOf<O extends Operation> = Values<O['params']> &
  Values<O['query']> &
  BodyValues<O['body']> &
  FileFormat<O>

export type ResultOf<O extends Operation> = Static<O['result']>
