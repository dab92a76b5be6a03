import { Type } from '@sinclair/typebox'

/** What is needed of an open file; a `FileHandle` of Node.js has it. */
interface OpenFile {
  stat: () => Promise<{ isFile: () => boolean; size: number; mtimeMs: number }>
  read: (buffer: Uint8Array, offset: number, length: number) => Promise<{ bytesRead: number }>
  close: () => Promise<void>
}

/** A file that the caller opens itself, because where its path leads may change. Opened anew for each attempt. */
export interface FileToSend {
  /** For people, and for the name that the device is told. */
  path: string
  open: () => Promise<OpenFile>
}

/** Path of a file, or its content. Streamed, never held twice. */
export const UploadFile = Type.Unsafe<string | Uint8Array | FileToSend>(
  Type.Unknown({ description: 'path of a file, or its content' }),
)
