import { Log, LogEntry, LogInfo } from './log'
import { NodeInfo, NodeStatus } from './node'
import { Parameter, ParameterNameValue } from './parameter'
import { ActivePipeline, PipelineConfiguration, PipelineTypes } from './pipeline'
import { HandEyeConfiguration, RobotJob } from './robot-interface'
import { ReturnCode, Service, ServiceAnswer } from './service'
import { StoredFile } from './stored-file'
import { Stream } from './stream'
import * as system from './system'
import { UserSpace, UserSpaceProxy } from './user-space'

const { Dns, FirmwareInfo, LicenseInfo, NetworkInfo, NetworkSettings, Ntp, RestoreResult } = system
const { SysInfo, Time, UiLock, UiLockAnswer } = system

/** The records of the API, under the names used in the specification. */
export const records = {
  ActivePipeline,
  Dns,
  FirmwareInfo,
  HandEyeConfiguration,
  LicenseInfo,
  Log,
  LogEntry,
  LogInfo,
  NetworkInfo,
  NetworkSettings,
  NodeInfo,
  NodeStatus,
  Ntp,
  Parameter,
  ParameterNameValue,
  PipelineConfiguration,
  PipelineTypes,
  RestoreResult,
  ReturnCode,
  RobotJob,
  Service,
  ServiceAnswer,
  StoredFile,
  Stream,
  SysInfo,
  Time,
  UiLock,
  UiLockAnswer,
  UserSpace,
  UserSpaceProxy,
}
