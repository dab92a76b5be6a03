import type { Node, NodeAPI } from 'node-red'
import type { Command } from '../../../lib/fleet/messages'
import type { CommandWork, Ending } from '../../../lib/fleet/agent/agent'
import type { CellDevice, CellDevices } from '../cell-devices'
import type { FlowRuns } from '../flow-runs'
import type { SettingsPrints } from '../settings-prints'

/** What the work on commands shares. */
export interface WorkParts {
  RED: NodeAPI
  node: Node
  devices: CellDevices
  prints: SettingsPrints
  flows: FlowRuns
  /** Folder of backups and artifacts, as in the settings. */
  folder: string
  /** Hosts from which artifacts are fetched. */
  sources: readonly string[]
  /** Bytes. */
  mostArtifact: number
  /** Seconds. */
  patience: number
}

/** Executes one kind of command on a device. @throws VisionError */
export type DeviceCommand = (
  target: CellDevice,
  command: Command,
  work: CommandWork,
  parts: WorkParts,
) => Promise<Ending>

export const done = (result: unknown): Ending => ({ state: 'done', result })
