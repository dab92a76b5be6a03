import { createRequire } from 'node:module'
import type * as Library from '../../lib'
import type * as Addresses from '../../lib/client/address'
import type * as Contract from '../../lib/contract'
import type * as OperationForms from '../../lib/contract/reading/form/operation-forms'
import type * as Firmware from '../../lib/firmware'
import type * as Fleet from '../../lib/fleet/messages'
import type * as Agent from '../../lib/fleet/agent'
import type * as FleetCentre from '../../lib/fleet/centre'
import type * as Sparkplug from '../../lib/fleet/sparkplug'
import type * as Otlp from '../../lib/otlp/exporter'
import type * as Overlays from '../../lib/overlay'
import type * as VirtualPlc from '../../lib/plc/virtual/virtual-plc'
import type * as RobotMotion from '../../lib/robot-motion'
import type * as UniversalRobots from '../../lib/universal-robots/universal-robot'

/** Loaded with the first node that needs them, for a fast start. */
const load = createRequire(__filename)

export const loadClient = () => load('../../lib') as typeof Library
export const loadAddresses = () => load('../../lib/client/address') as typeof Addresses
export const loadContract = () => load('../../lib/contract') as typeof Contract
export const loadOperationForms = () =>
  load('../../lib/contract/reading/form/operation-forms') as typeof OperationForms
export const loadFirmware = () => load('../../lib/firmware') as typeof Firmware
export const loadFleet = () => load('../../lib/fleet/messages') as typeof Fleet
export const loadAgent = () => load('../../lib/fleet/agent') as typeof Agent
export const loadFleetCentre = () => load('../../lib/fleet/centre') as typeof FleetCentre
export const loadSparkplug = () => load('../../lib/fleet/sparkplug') as typeof Sparkplug
export const loadOtlp = () => load('../../lib/otlp/exporter') as typeof Otlp
export const loadOverlay = () => load('../../lib/overlay') as typeof Overlays
export const loadPlc = () => load('../../lib/plc/virtual/virtual-plc') as typeof VirtualPlc
export const loadRobotMotion = () => load('../../lib/robot-motion') as typeof RobotMotion
export const loadUniversalRobots = () =>
  load('../../lib/universal-robots/universal-robot') as typeof UniversalRobots
