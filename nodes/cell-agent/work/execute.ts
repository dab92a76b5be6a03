import { VisionError } from '../../../lib/client/vision-error'
import type { Command, CommandKind } from '../../../lib/fleet/messages'
import type { CommandWork, Ending } from '../../../lib/fleet/agent/agent'
import { withCode } from '../../shared/as-sentence'
import { loadFleet } from '../../shared/load-later'
import { backup, compare, restore } from './backups'
import { callService } from './call-service'
import { readParameters, setParameters } from './parameters'
import type { DeviceCommand, WorkParts } from './parts'
import { updateFirmware } from './update-firmware'

const onDevice: Partial<Record<CommandKind, DeviceCommand>> = {
  'read-parameters': readParameters,
  'set-parameters': setParameters,
  'call-service': callService,
  backup,
  restore,
  compare,
  'update-firmware': updateFirmware,
}

/** Executes a command that was allowed. */
export async function execute(command: Command, work: CommandWork, parts: WorkParts): Promise<Ending> {
  if (command.do === 'run-flow') return parts.flows.run(command, work.signal)
  const run = onDevice[command.do]
  try {
    if (!run) throw new Error(command.do)
    return await run(parts.devices.named(command.device), command, work, parts)
  } catch (error) {
    return endingOf(error, command.do)
  }
}

/** With these, nothing has reached the device. */
const nothingDone: ReadonlySet<string> = new Set(['INVALID_INPUT', 'FORBIDDEN', 'BUSY'])
/** With these, a device may have executed a write. */
const unclear: ReadonlySet<string> = new Set(['OUTCOME_UNKNOWN', 'INTERNAL'])

/** How a command ends with an error. */
export function endingOf(error: unknown, kind?: CommandKind): Ending {
  const { code, message, cause } = withCode(error)
  const parameters = error instanceof VisionError ? error.cause?.parameters : undefined
  const isRefused = nothingDone.has(code) && parameters === undefined && !hasStatus(cause)
  const isUnknown = unclear.has(code) && kind !== undefined && !loadFleet().readingKinds.has(kind)
  return {
    state: isUnknown ? 'unknown' : isRefused ? 'refused' : 'failed',
    code,
    text: message.slice(0, 2000),
    ...(parameters && { result: { parameters } }),
  }
}

/** It is an answer of the device. */
const hasStatus = (cause: unknown) => typeof cause === 'object' && cause !== null && 'status' in cause
