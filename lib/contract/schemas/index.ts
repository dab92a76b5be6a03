import {
  Log,
  LogEntry,
  LogInfo,
  NodeInfo,
  NodeStatus,
  Parameter,
  ParameterNameValue,
  ActivePipeline,
  PipelineConfiguration,
  PipelineTypes,
  ReturnCode,
  Service,
  ServiceAnswer,
  Stream,
} from './pipeline'
import { HandEyeConfiguration, RobotJob, StoredFile, UserSpace, UserSpaceProxy } from './system'
import * as system from './system'

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
