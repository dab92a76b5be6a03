import { Type } from '@sinclair/typebox'

/** Path of a file, or its content. Streamed, never held twice. */
export const UploadFile = Type.Unsafe<string | Uint8Array>(
  Type.Unknown({ description: 'path of a file, or its content' }),
)
