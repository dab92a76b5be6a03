import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { FileId, StoredFile } from '../schemas/stored-file'
import { NotShown } from '../schemas/not-shown'
import { UploadFile } from '../schemas/upload-file'

const path = '/cad/gripper_elements/{id}'
const params = { id: FileId } as const
const absent = { 404: 'no such element' } as const
const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

/** Geometry that the elements of grippers refer to. */
export const cad = {
  /** Lists the CAD elements of grippers. */
  listGripperElements: {
    method: 'GET',
    path: '/cad/gripper_elements',
    summary: 'Lists the CAD elements of grippers.',
    result: Type.Array(StoredFile),
    errors: {},
    ...beyond,
  },
  /**
   * Reads a CAD element, or its file.
   * @throws VisionError 404 no such element
   */
  getGripperElement: {
    method: 'GET',
    path,
    summary: 'Reads a CAD element, or its file.',
    params,
    result: StoredFile,
    offersFile: true,
    errors: absent,
    ...beyond,
  },
  /**
   * Stores a CAD element, in place of one with the same id: a STEP, STL, OBJ or PLY file.
   * @throws VisionError 400 invalid file, or too many; 413 file too large
   */
  putGripperElement: {
    method: 'PUT',
    path,
    summary: 'Stores a CAD element, in place of one with the same id: a STEP, STL, OBJ or PLY file.',
    params,
    body: { encoding: 'multipart', fields: { file: UploadFile }, maxBytes: 10 * 1024 * 1024 },
    result: StoredFile,
    errors: { 400: 'invalid file, or too many', 413: 'file too large' },
    ...beyond,
  },
  /**
   * Deletes a CAD element.
   * @throws VisionError 404 no such element
   */
  deleteGripperElement: {
    method: 'DELETE',
    path,
    summary: 'Deletes a CAD element.',
    params,
    result: NotShown,
    errors: absent,
    ...beyond,
  },
} as const satisfies Record<string, Operation>
