import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { PipelineName } from '../schemas/pipeline'
import {
  HandEyeConfiguration,
  handEyeConfiguration,
  JobId,
  RobotJob,
  Stored,
  StoredJob,
} from '../schemas/robot-interface'
import { NotShown } from '../schemas/not-shown'

const jobs = '/generic_robot_interface/jobs'
const configs = '/generic_robot_interface/hec_configs'
const noJob = { 404: 'no such job' } as const
const noConfig = { 404: 'no configuration of this pipeline' } as const
const noLicense = { 403: 'no valid license' } as const
const beyond = { ubjson: true, variants: ['multi'], beyondSpecification: true } as const

/** What robots trigger by numbers over the device's robot interface. */
export const robotInterface = {
  /** Reads all jobs of the robot interface, by their numbers. */
  listRobotJobs: {
    method: 'GET',
    path: jobs,
    summary: 'Reads all jobs of the robot interface, by their numbers.',
    result: Type.Record(Type.String(), RobotJob),
    errors: {},
    ...beyond,
  },
  /**
   * Reads one job of the robot interface.
   * @throws VisionError 404 no such job
   */
  getRobotJob: {
    method: 'GET',
    path: `${jobs}/{job_id}`,
    summary: 'Reads one job of the robot interface.',
    params: { job_id: JobId },
    result: RobotJob,
    errors: noJob,
    ...beyond,
  },
  /** Stores a job of the robot interface; a negative return code says why not. */
  putRobotJob: {
    method: 'PUT',
    path: `${jobs}/{job_id}`,
    summary: 'Stores a job of the robot interface; a negative return code says why not.',
    params: { job_id: JobId },
    body: { encoding: 'json', fields: { job: RobotJob }, bare: true },
    result: StoredJob,
    errors: {},
    ...beyond,
  },
  /**
   * Deletes a job of the robot interface.
   * @throws VisionError 403 no valid license; 404 no such job
   */
  deleteRobotJob: {
    method: 'DELETE',
    path: `${jobs}/{job_id}`,
    summary: 'Deletes a job of the robot interface.',
    params: { job_id: JobId },
    result: NotShown,
    errors: { ...noLicense, ...noJob },
    ...beyond,
  },
  /** Reads how robots calibrate the pipelines. */
  listRobotCalibrations: {
    method: 'GET',
    path: configs,
    summary: 'Reads how robots calibrate the pipelines.',
    result: Type.Record(Type.String(), HandEyeConfiguration),
    errors: {},
    ...beyond,
  },
  /**
   * Reads how robots calibrate a pipeline.
   * @throws VisionError 404 no configuration of this pipeline
   */
  getRobotCalibration: {
    method: 'GET',
    path: `${configs}/{pipeline}`,
    summary: 'Reads how robots calibrate a pipeline.',
    params: { pipeline: PipelineName },
    result: HandEyeConfiguration,
    errors: noConfig,
    ...beyond,
  },
  /** Sets how robots calibrate a pipeline; a negative return code says why not. */
  putRobotCalibration: {
    method: 'PUT',
    path: `${configs}/{pipeline}`,
    summary: 'Sets how robots calibrate a pipeline; a negative return code says why not.',
    params: { pipeline: PipelineName },
    body: { encoding: 'json', fields: handEyeConfiguration },
    result: Stored,
    errors: {},
    ...beyond,
  },
  /**
   * Deletes how robots calibrate a pipeline.
   * @throws VisionError 403 no valid license; 404 no configuration of this pipeline
   */
  deleteRobotCalibration: {
    method: 'DELETE',
    path: `${configs}/{pipeline}`,
    summary: 'Deletes how robots calibrate a pipeline.',
    params: { pipeline: PipelineName },
    result: NotShown,
    errors: { ...noLicense, ...noConfig },
    ...beyond,
  },
} as const satisfies Record<string, Operation>
