import { Type } from '@sinclair/typebox'
import type { FileHandle } from 'node:fs/promises'

/** A file that the caller opens itself, because where its path leads may change. Opened anew for each attempt. */
export interface FileToSend {
  /** For people, and for the name that the device is told. */
  path: string
  open: () => Promise<FileHandle>
}

/** Path of a file, or its content. Streamed, never held twice. */
export const UploadFile = Type.Unsafe<string | Uint8Array | FileToSend>(
  Type.Unknown({ description: 'path of a file, or its content' }),
)
