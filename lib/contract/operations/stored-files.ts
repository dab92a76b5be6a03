import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { NodeName } from '../schemas/pipeline'
import { FileId, StoredFile, NotShown, UploadFile } from '../schemas/system'

const templatePath = '/templates/{node}/{id}'

const templateParams = { node: NodeName, id: FileId } as const

const noTemplate = { 404: 'no such node or template' } as const

const noLicense = { 403: 'no valid license' } as const

/** One list per detection node. */
export const templates = {
  listTemplates: {
    method: 'GET',
    path: '/templates/{node}',
    summary: 'List the object templates of a node',
    params: { node: NodeName },
    result: Type.Array(StoredFile),
    errors: { 404: 'no such node' },
    ubjson: true,
    beyondSpecification: true,
  },
  getTemplate: {
    method: 'GET',
    path: templatePath,
    summary: 'Read an object template: its record, or its file',
    params: templateParams,
    result: StoredFile,
    offersFile: true,
    errors: noTemplate,
    ubjson: true,
    beyondSpecification: true,
  },
  putTemplate: {
    method: 'PUT',
    path: templatePath,
    summary: 'Store an object template: replaces an existing one with the same id',
    params: templateParams,
    body: {
      encoding: 'multipart',
      fields: {
        file: UploadFile,
        object_height: Type.Optional(
          Type.Number({ exclusiveMinimum: 0, description: 'metres; needed for a DXF file' }),
        ),
        units: Type.Optional(
          Type.String({ pattern: '^(mm|cm|m|in|ft)$', description: 'of a DXF file: mm, cm, m, in or ft' }),
        ),
      },
      maxBytes: 10 * 1024 * 1024,
    },
    result: StoredFile,
    errors: {
      400: 'invalid template, or too many',
      ...noLicense,
      404: 'no such node',
      413: 'file too large',
    },
    ubjson: true,
    beyondSpecification: true,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: templatePath,
    summary: 'Delete an object template',
    params: templateParams,
    result: NotShown,
    errors: { ...noLicense, ...noTemplate },
    ubjson: true,
    beyondSpecification: true,
  },
} as const satisfies Record<string, Operation>

const cadPath = '/cad/gripper_elements/{id}'

const cadParams = { id: FileId } as const

const noCad = { 404: 'no such element' } as const

const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

/** Geometry that gripper elements refer to. */
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
    path: cadPath,
    summary: 'Read a CAD element: its record, or its file',
    params: cadParams,
    result: StoredFile,
    offersFile: true,
    errors: noCad,
    ...beyond,
  },
  putGripperElement: {
    method: 'PUT',
    path: cadPath,
    summary: 'Store a CAD element: a STEP, STL, OBJ or PLY file; replaces an existing one with the same id',
    params: cadParams,
    body: { encoding: 'multipart', fields: { file: UploadFile }, maxBytes: 10 * 1024 * 1024 },
    result: StoredFile,
    errors: { 400: 'invalid file, or too many', 413: 'file too large' },
    ...beyond,
  },
  deleteGripperElement: {
    method: 'DELETE',
    path: cadPath,
    summary: 'Delete a CAD element',
    params: cadParams,
    result: NotShown,
    errors: noCad,
    ...beyond,
  },
} as const satisfies Record<string, Operation>
