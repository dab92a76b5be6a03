import { Type } from '../typebox'
import type { Fields, Operation } from './operation'

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
