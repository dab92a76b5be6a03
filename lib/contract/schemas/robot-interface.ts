import { Type, type Static } from '../../typebox'
import { PipelineName, ReturnCode } from './pipeline'

const AnyFields = Type.Record(Type.String(), Type.Unknown())

export const JobId = Type.String({ minLength: 1, description: 'number of the job, 0 to 65535' })

/** What a robot triggers by its number. */
export const RobotJob = Type.Object({
  name: Type.String(),
  job_type: Type.String({
    description: 'CALL_PIPELINE_SERVICE, CALL_GLOBAL_SERVICE or SET_PIPELINE_PARAMETERS',
  }),
  node: Type.String(),
  pipeline: Type.Optional(PipelineName),
  service: Type.Optional(Type.String()),
  args: Type.Optional(AnyFields),
  parameters: Type.Optional(AnyFields),
  selected_return: Type.Optional(
    Type.String({ description: 'field of the answer whose poses the robot gets' }),
  ),
  additional_return: Type.Optional(Type.Unknown({ description: 'further fields of the answer' })),
})
export type RobotJob = Static<typeof RobotJob>

export const handEyeConfiguration = {
  grid_height: Type.Number({ minimum: 0, description: 'metres' }),
  grid_width: Type.Number({ minimum: 0, description: 'metres' }),
  robot_mounted: Type.Boolean(),
  tcp_offset: Type.Number({ description: 'metres; 0 for robots that turn about all axes' }),
  tcp_rotation_axis: Type.Integer({
    minimum: -1,
    maximum: 2,
    description: '-1, or the axis that the robot turns about: 0, 1 or 2',
  }),
}
/** How a robot calibrates a pipeline. */
export const HandEyeConfiguration = Type.Object(handEyeConfiguration)

export const Stored = Type.Object({ return_code: ReturnCode })
export const StoredJob = Type.Object({ job_id: Type.String(), return_code: ReturnCode })
