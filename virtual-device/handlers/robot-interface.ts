import type { RobotJob } from '../../lib/contract'
import type { Device } from '../device/device'
import { assertLicensed, type RunningModule } from '../device/running-module'
import { Refusal, cut, shown } from '../values'
import { globalNode, pipelineNode, type Handlers } from './handler'

const license = 'generic_robot_interface'

export const robotInterface = {
  listRobotJobs: ({ system }) => system.robotJobs ?? {},
  getRobotJob: (device, { job_id }) => found(device.system.robotJobs, job_id, 'job'),
  putRobotJob: (device, { job_id, job }) => {
    // Robots send it in 16 bits.
    if (!/^\d{1,5}$/.test(job_id) || Number(job_id) > 65535)
      throw new Refusal(400, `job_id: ${shown(job_id)} is not a number from 0 to 65535`)
    return {
      job_id,
      return_code: outcome(`job ${job_id} updated`, () => {
        assertLicensed(license, device.scenario)
        assertPossible(device, job)
        device.change({ robotJobs: { ...device.system.robotJobs, [job_id]: job } })
      }),
    }
  },
  deleteRobotJob: (device, { job_id }) => {
    assertLicensed(license, device.scenario)
    const { robotJobs } = device.system
    found(robotJobs, job_id, 'job')
    device.change({ robotJobs: without(robotJobs, job_id) })
    return { message: `job ${job_id} deleted` }
  },
  listRobotCalibrations: ({ system }) => system.robotCalibrations ?? {},
  getRobotCalibration: (device, { pipeline }) =>
    found(device.system.robotCalibrations, pipeline, 'configuration of pipeline'),
  putRobotCalibration: (device, { pipeline, ...configuration }) => ({
    return_code: outcome('configuration saved', () => {
      assertLicensed(license, device.scenario)
      if (!device.pipelines.has(pipeline)) throw new Refusal(400, `pipeline ${pipeline} is not configured`)
      device.change({ robotCalibrations: { ...device.system.robotCalibrations, [pipeline]: configuration } })
    }),
  }),
  deleteRobotCalibration: (device, { pipeline }) => {
    assertLicensed(license, device.scenario)
    const { robotCalibrations } = device.system
    found(robotCalibrations, pipeline, 'configuration of pipeline')
    device.change({ robotCalibrations: without(robotCalibrations, pipeline) })
    return { message: `configuration of pipeline ${pipeline} deleted` }
  },
} satisfies Partial<Handlers>

/** Storing answers 200 even for what cannot be stored, and reports it by a return code. */
function outcome(message: string, store: () => void) {
  try {
    store()
    return { value: 0, message }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { value: error.returnCode, message: error.message }
  }
}

const found = <Stored>(all: Readonly<Record<string, Stored>> = {}, key: string, kind: string): Stored => {
  const stored = Object.hasOwn(all, key) ? all[key] : undefined
  if (stored === undefined) throw new Refusal(404, `there is no ${kind} ${cut(key, 60)}`)
  return stored
}

const without = <Stored>(all: Readonly<Record<string, Stored>> = {}, key: string): Record<string, Stored> =>
  Object.fromEntries(Object.entries(all).filter(([other]) => other !== key))

/** @throws Refusal for a job that would always fail when a robot triggers it */
function assertPossible(
  device: Device,
  { job_type, pipeline, node, service = '', parameters }: RobotJob,
): void {
  const inPipeline = (): RunningModule => {
    if (pipeline === undefined) throw new Refusal(400, 'pipeline: missing')
    return pipelineNode(device, { pipeline, node })
  }
  switch (job_type) {
    case 'CALL_PIPELINE_SERVICE':
      inPipeline().describeService(service)
      return
    case 'CALL_GLOBAL_SERVICE':
      globalNode(device, node).describeService(service)
      return
    // Documentation and programs differ in its spelling.
    case 'SET_PIPELINE_PARAMETERS':
    case 'SET_PIPELINE_PARAMETER':
    case 'SET_PARAMETERS_SERVICE':
      if (parameters === undefined) throw new Refusal(400, 'parameters: missing')
      for (const name of Object.keys(parameters)) inPipeline().parameters.record(name)
      return
    default:
      throw new Refusal(400, `job_type: ${shown(job_type)} is not known`)
  }
}
