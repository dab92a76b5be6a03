import type { Static, TObject, TSchema } from '@sinclair/typebox'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** The two device variants: `single` knows pipeline 0 only, `multi` knows pipelines 0 to 3 and more groups. */
export type Variant = 'single' | 'multi'

/** Named values and their schemas; optional ones are wrapped in `Type.Optional`. */
export type Fields = Readonly<Record<string, TSchema>>

/** Statuses that an operation can list as its own. 413, 415 and 429 may come from every operation. */
export type ListedStatus = 400 | 403 | 404 | 500

export interface Body {
  /** How the body travels. A `file` is one multipart field of that name, streamed. */
  encoding: 'json' | 'form' | 'multipart'
  fields: Fields
  /** The one field is the whole body instead of a key in it. */
  bare?: true
}

/** One operation of the device's API, as data. Client, server, explorer and documents are derived from it. */
export interface Operation {
  method: Method
  /** Below the base address; `{name}` stands for a path parameter. */
  path: `/${string}`
  summary: string
  params?: Fields
  query?: Fields
  body?: Body
  /** Query keys beyond `query` are parameter names and their values. */
  queryIsOpen?: true
  result: TSchema
  /** Input with which the answer is plain text instead of `result`. */
  textWhen?: Readonly<Record<string, string>>
  errors: Partial<Record<ListedStatus, string>>
  /** The device offers UBJSON besides JSON. */
  ubjson: boolean
  /** @default both */
  variants?: readonly Variant[]
  /** A write that may be repeated, because this operation shows whether it took effect. */
  readBack?: string
}

type Values<F> = F extends Fields ? Static<TObject<F>> : unknown
type BodyValues<B> = B extends Body ? Values<B['fields']> : unknown

/** All inputs of an operation in one object: path parameters, query and the fields of the body. */
export type InputOf<O extends Operation> = Values<O['params']> & Values<O['query']> & BodyValues<O['body']>

export type ResultOf<O extends Operation> = Static<O['result']>
