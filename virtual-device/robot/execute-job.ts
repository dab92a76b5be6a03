import type { RobotJob } from '../../lib/contract'
import type { Pose } from '../../lib/robotics/pose'
import { interfaceCodes, type JobOutcome } from '../../lib/robot-interface'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'
import { callService } from '../handlers/call-service'
import { globalNode, pipelineNode } from '../handlers/find'
import { writeParameters } from '../handlers/write-parameters'
import { Refusal } from '../refusal'
import { codeOf, refusedCall } from './module-refusal'
import { returnedPoses } from './returned-poses'

const { API_RESPONSE_ERROR, MISCONFIGURED_JOB, PIPELINE_NOT_AVAILABLE } = interfaceCodes

/**
 * Executes a job as its definition says. Never throws: what is wrong is part of the outcome.
 * @param robotPose of the flange, which services that know a `robot_pose` get
 */
export function executeJob(device: Device, job: RobotJob, robotPose: Pose | undefined): JobOutcome {
  const { pipeline } = job
  if (job.job_type !== 'CALL_GLOBAL_SERVICE' && pipeline !== undefined && !device.pipelines.has(pipeline))
    return { failure: PIPELINE_NOT_AVAILABLE, moduleCode: 0 }
  try {
    const node = nodeOf(device, job)
    if (job.service === undefined) return parametersSet(device, node, job)
    return serviceCalled(device, node, { ...job, service: job.service }, robotPose)
  } catch (error) {
    const { failure, moduleCode } = refusedCall(error)
    device.note('ERROR', `robot job failed: ${(error as Error).message}`)
    return { failure, moduleCode }
  }
}

/** The forms of the third job type are checked when a job is stored. */
function nodeOf(device: Device, { job_type, pipeline, node }: RobotJob): RunningModule {
  if (job_type === 'CALL_GLOBAL_SERVICE') return globalNode(device, node)
  if (pipeline === undefined) throw new Refusal(400, 'pipeline: missing')
  return pipelineNode(device, { pipeline, node })
}

function parametersSet(device: Device, node: RunningModule, { parameters = {} }: RobotJob): JobOutcome {
  const writes = Object.entries(parameters).map(([name, value]) => ({ name, value }))
  writeParameters(device, node, writes, 400)
  return { noReturn: true, moduleCode: 0 }
}

function serviceCalled(
  device: Device,
  node: RunningModule,
  job: RobotJob & { service: string },
  robotPose: Pose | undefined,
): JobOutcome {
  const { args: known } = node.describeService(job.service)
  const takesPose = typeof known === 'object' && known !== null && Object.hasOwn(known, 'robot_pose')
  const args = { ...job.args, ...(takesPose && robotPose && { robot_pose: robotPose }) }
  const { response: marked } = callService(device, node, job.service, args)
  // As the API would send it: its numbers are marked as floats.
  const response = JSON.parse(JSON.stringify(marked)) as Record<string, unknown>
  const { value: moduleCode, refused } = codeOf(response)
  if (refused) return { failure: API_RESPONSE_ERROR, moduleCode }
  if (!job.selected_return) return { noReturn: true, moduleCode }
  const poses = returnedPoses(job, response)
  return poses ? { poses, moduleCode } : { failure: MISCONFIGURED_JOB, moduleCode }
}
