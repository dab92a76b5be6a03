import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { NodeName } from '../schemas/pipeline'
import { FileId, StoredFile, NotShown, UploadFile } from '../schemas/system'

const path = '/templates/{node}/{id}'
const params = { node: NodeName, id: FileId } as const
const absent = { 404: 'no such node or template' } as const
const noLicense = { 403: 'no valid license' } as const

/** Template files of the detection nodes, one list per node. */
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
    path,
    summary: 'Read an object template: its record, or its file',
    params,
    result: StoredFile,
    offersFile: true,
    errors: absent,
    ubjson: true,
    beyondSpecification: true,
  },
  putTemplate: {
    method: 'PUT',
    path,
    summary: 'Store an object template: replaces an existing one with the same id',
    params,
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
    path,
    summary: 'Delete an object template',
    params,
    result: NotShown,
    errors: { ...noLicense, ...absent },
    ubjson: true,
    beyondSpecification: true,
  },
} as const satisfies Record<string, Operation>
