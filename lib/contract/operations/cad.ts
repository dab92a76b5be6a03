import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { FileId, StoredFile, NotShown, UploadFile } from '../schemas/system'

const path = '/cad/gripper_elements/{id}'
const params = { id: FileId } as const
const absent = { 404: 'no such element' } as const
const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

/** Geometry files that gripper elements refer to. */
export const cad = {
  listGripperElements: {
    method: 'GET',
    path: '/cad/gripper_elements',
    summary: 'List the CAD elements of grippers',
    result: Type.Array(StoredFile),
    errors: {},
    ...beyond,
  },
  getGripperElement: {
    method: 'GET',
    path,
    summary: 'Read a CAD element: its record, or its file',
    params,
    result: StoredFile,
    offersFile: true,
    errors: absent,
    ...beyond,
  },
  putGripperElement: {
    method: 'PUT',
    path,
    summary: 'Store a CAD element: a STEP, STL, OBJ or PLY file; replaces an existing one with the same id',
    params,
    body: { encoding: 'multipart', fields: { file: UploadFile }, maxBytes: 10 * 1024 * 1024 },
    result: StoredFile,
    errors: { 400: 'invalid file, or too many', 413: 'file too large' },
    ...beyond,
  },
  deleteGripperElement: {
    method: 'DELETE',
    path,
    summary: 'Delete a CAD element',
    params,
    result: NotShown,
    errors: absent,
    ...beyond,
  },
} as const satisfies Record<string, Operation>
