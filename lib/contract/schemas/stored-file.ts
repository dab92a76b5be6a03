import { Type, type Static } from '../../typebox'

/** The device's record of a file that it stores. */
export const StoredFile = Type.Object({ id: Type.String() })
export type StoredFile = Static<typeof StoredFile>

export const FileId = Type.String({ minLength: 1, description: 'name under which the file is kept' })
