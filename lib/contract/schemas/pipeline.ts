import { Type, type Static } from '../../typebox'

export const PipelineName = Type.String({
  pattern: '^[0-3]$',
  description: 'number of the pipeline; 0 on the single variant',
})

/** Pipelines that can be deleted: all but 0. */
export const ExtraPipelineName = Type.String({ pattern: '^[1-3]$', description: 'number of the pipeline' })

export const PipelineType = Type.String({ minLength: 1, description: 'kind of sensor' })

export const ActivePipeline = Type.Object({ type: PipelineType, status: Type.String() })
export type ActivePipeline = Static<typeof ActivePipeline>

export const ActivePipelines = Type.Record(Type.String(), ActivePipeline)

export const PipelineTypes = Type.Record(Type.String(), Type.Object({ type: PipelineType }))

export const PipelineConfiguration = Type.Object({
  config: PipelineTypes,
  max_pipelines: Type.Integer(),
  pending_changes: Type.Boolean({ description: 'changes wait for a reboot' }),
})
export type PipelineConfiguration = Static<typeof PipelineConfiguration>
