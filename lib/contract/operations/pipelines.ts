import { Type } from '../../typebox'
import type { Operation } from '../operation'
import {
  ActivePipeline,
  ActivePipelines,
  ExtraPipelineName,
  PipelineConfiguration,
  PipelineName,
  PipelineType,
  PipelineTypes,
} from '../schemas/pipeline'

/** Camera pipelines: the running ones, and the configuration for the next start. */
export const pipelines = {
  listPipelines: {
    method: 'GET',
    path: '/pipelines',
    summary: 'List the active pipelines',
    result: ActivePipelines,
    errors: {},
    ubjson: true,
  },
  getPipeline: {
    method: 'GET',
    path: '/pipelines/{pipeline}',
    summary: 'Read an active pipeline: type and status',
    params: { pipeline: PipelineName },
    result: ActivePipeline,
    errors: {},
    ubjson: true,
  },
  getPipelineConfiguration: {
    method: 'GET',
    path: '/system/pipelines',
    summary: 'Read the configuration of all pipelines',
    result: PipelineConfiguration,
    errors: {},
    ubjson: true,
  },
  getPipelineType: {
    method: 'GET',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Read the configured type of a pipeline',
    params: { pipeline: PipelineName },
    result: PipelineTypes,
    errors: {},
    ubjson: true,
  },
  setPipelineType: {
    method: 'PUT',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Configure the type of a pipeline: takes effect after a restart',
    params: { pipeline: PipelineName },
    query: { type: PipelineType },
    result: Type.Object({ type: PipelineType }),
    errors: { 400: 'invalid pipeline name or type' },
    ubjson: true,
  },
  deletePipeline: {
    method: 'DELETE',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Delete a pipeline from the configuration: takes effect after a restart',
    params: { pipeline: ExtraPipelineName },
    result: Type.Object({ message: Type.String() }),
    errors: { 400: 'invalid name; pipeline 0 cannot be deleted' },
    ubjson: true,
    farReaching: true,
  },
} as const satisfies Record<string, Operation>
