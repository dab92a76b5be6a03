import { Type } from '@sinclair/typebox'
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

/** Camera pipelines: what runs, and what is configured for the next start. */
export const pipelines = {
  /** Lists the active pipelines. */
  listPipelines: {
    method: 'GET',
    path: '/pipelines',
    summary: 'Lists the active pipelines.',
    result: ActivePipelines,
    errors: {},
    ubjson: true,
  },
  /** Reads type and status of an active pipeline. */
  getPipeline: {
    method: 'GET',
    path: '/pipelines/{pipeline}',
    summary: 'Reads type and status of an active pipeline.',
    params: { pipeline: PipelineName },
    result: ActivePipeline,
    errors: {},
    ubjson: true,
  },
  /** Reads the configuration of all pipelines. */
  getPipelineConfiguration: {
    method: 'GET',
    path: '/system/pipelines',
    summary: 'Reads the configuration of all pipelines.',
    result: PipelineConfiguration,
    errors: {},
    ubjson: true,
  },
  /** Reads the configured type of a pipeline. */
  getPipelineType: {
    method: 'GET',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Reads the configured type of a pipeline.',
    params: { pipeline: PipelineName },
    result: PipelineTypes,
    errors: {},
    ubjson: true,
  },
  /**
   * Configures the type of a pipeline; it takes effect after a reboot.
   * @throws VisionError 400 invalid pipeline name or type
   */
  setPipelineType: {
    method: 'PUT',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Configures the type of a pipeline; it takes effect after a reboot.',
    params: { pipeline: PipelineName },
    query: { type: PipelineType },
    result: Type.Object({ type: PipelineType }),
    errors: { 400: 'invalid pipeline name or type' },
    ubjson: true,
  },
  /**
   * Deletes a pipeline from the configuration; it takes effect after a reboot.
   * @throws VisionError 400 invalid name; pipeline 0 cannot be deleted
   */
  deletePipeline: {
    method: 'DELETE',
    path: '/system/pipelines/config/{pipeline}',
    summary: 'Deletes a pipeline from the configuration; it takes effect after a reboot.',
    params: { pipeline: ExtraPipelineName },
    result: Type.Object({ message: Type.String() }),
    errors: { 400: 'invalid name; pipeline 0 cannot be deleted' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
