import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { PipelineName } from '../schemas/pipeline'
import {
  HandEyeConfiguration,
  handEyeConfiguration,
  JobId,
  NotShown,
  RobotJob,
  Stored,
  StoredJob,
} from '../schemas/system'

const jobs = '/generic_robot_interface/jobs'
const configs = '/generic_robot_interface/hec_configs'
const noJob = { 404: 'no such job' } as const
const noConfig = { 404: 'no configuration of this pipeline' } as const
const noLicense = { 403: 'no valid license' } as const
const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

export const robotInterface = {
  listRobotJobs: {
    method: 'GET',
    path: jobs,
    summary: 'Read the robot jobs: all of them, by number',
    result: Type.Record(Type.String(), RobotJob),
    errors: {},
    ...beyond,
  },
  getRobotJob: {
    method: 'GET',
    path: `${jobs}/{job_id}`,
    summary: 'Read a robot job',
    params: { job_id: JobId },
    result: RobotJob,
    errors: noJob,
    ...beyond,
  },
  putRobotJob: {
    method: 'PUT',
    path: `${jobs}/{job_id}`,
    summary: 'Store a robot job: a negative return code gives the reason of a refusal',
    params: { job_id: JobId },
    body: { encoding: 'json', fields: { job: RobotJob }, bare: true },
    result: StoredJob,
    errors: {},
    ...beyond,
  },
  deleteRobotJob: {
    method: 'DELETE',
    path: `${jobs}/{job_id}`,
    summary: 'Delete a robot job',
    params: { job_id: JobId },
    result: NotShown,
    errors: { ...noLicense, ...noJob },
    ...beyond,
  },
  listRobotCalibrations: {
    method: 'GET',
    path: configs,
    summary: 'Read the calibration settings for robots: of all pipelines',
    result: Type.Record(Type.String(), HandEyeConfiguration),
    errors: {},
    ...beyond,
  },
  getRobotCalibration: {
    method: 'GET',
    path: `${configs}/{pipeline}`,
    summary: 'Read the calibration settings for robots of a pipeline',
    params: { pipeline: PipelineName },
    result: HandEyeConfiguration,
    errors: noConfig,
    ...beyond,
  },
  putRobotCalibration: {
    method: 'PUT',
    path: `${configs}/{pipeline}`,
    summary:
      'Store the calibration settings for robots of a pipeline: a negative return code gives the reason of a refusal',
    params: { pipeline: PipelineName },
    body: { encoding: 'json', fields: handEyeConfiguration },
    result: Stored,
    errors: {},
    ...beyond,
  },
  deleteRobotCalibration: {
    method: 'DELETE',
    path: `${configs}/{pipeline}`,
    summary: 'Delete the calibration settings for robots of a pipeline',
    params: { pipeline: PipelineName },
    result: NotShown,
    errors: { ...noLicense, ...noConfig },
    ...beyond,
  },
} as const satisfies Record<string, Operation>
