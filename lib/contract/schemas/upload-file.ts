import { Type } from '../../typebox'

/** The part of an open file that is needed; a Node.js `FileHandle` has it. */
interface OpenFile {
  stat: () => Promise<{ isFile: () => boolean; size: number; mtimeMs: number }>
  read: (buffer: Uint8Array, offset: number, length: number) => Promise<{ bytesRead: number }>
  close: () => Promise<void>
}

/** A file that the caller opens itself, because its path may change its target. Opened anew for each attempt. */
export interface FileToSend {
  /** For messages, and for the file name that the device receives. */
  path: string
  open: () => Promise<OpenFile>
}

/** Path of a file, or its content. Streamed, never held in memory twice. */
export const UploadFile = Type.Unsafe<string | Uint8Array | FileToSend>(
  Type.Unknown({ description: 'path of a file, or its content' }),
)
