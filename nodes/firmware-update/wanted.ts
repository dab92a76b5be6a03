import type { NodeAPI, Node } from 'node-red'
import type { Choices, FirmwareOptions } from '../../lib/firmware/types'
import { allowedFolders, filePlace } from '../shared/allowed-place'
import { isCommanded } from '../shared/permission'
import { number, type TypedName } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import type { NodeInput } from '../device/on-input'
import { firmwareUpdateNode, type FirmwareUpdateFields } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('firmware-update')

/** A message with its values of the fields. */
export type UpdateRequest = NodeInput<TypedName<FirmwareUpdateFields>>

/** The settings for every run, including resumed ones. */
export type Settings = Pick<FirmwareOptions, 'allowedFolders' | 'timing'>

/** What a message requests, the same for all devices. */
export interface RequestedUpdate extends Pick<FirmwareOptions, 'source'> {
  choices: Choices
}

/** @throws INVALID_INPUT for an invalid time */
export function settingsOf(RED: NodeAPI, node: Node, fields: FirmwareUpdateFields): Settings {
  const patience = numberOf(firmwareUpdateNode, fields, 'patience')
  const stall = numberOf(firmwareUpdateNode, fields, 'stall')
  return {
    allowedFolders: allowedFolders(RED, node, fields.folders),
    timing: { patience, boot: patience, write: patience, stall },
  }
}

/** @throws INVALID_INPUT if nobody confirmed it, or there is no artifact */
export function wantedOf(
  RED: NodeAPI,
  fields: FirmwareUpdateFields,
  { msg, read, text }: UpdateRequest,
): RequestedUpdate {
  const { mode, confirmed, onUnhealthy, onChanged, allowFallback } = fields
  // A command of a centre confirms nothing.
  const isConfirmed = confirmed || (msg['confirm'] === true && !isCommanded(msg))
  if (mode !== 'check' && !isConfirmed) throw invalidInput('firmware-not-confirmed')
  const source = read('source')
  const [version, sha256, size] = [text('version'), text('sha256'), text('size')]
  const usable = source instanceof Uint8Array || (typeof source === 'string' && source.trim() !== '')
  if ((mode === 'update' || mode === 'upload') && !usable) throw invalidInput('firmware-source')
  const expected = {
    ...(version && { version }),
    ...(sha256 && { sha256 }),
    ...(size && { size: number('size', size, 0, Number.MAX_SAFE_INTEGER) }),
  }
  return {
    choices: { mode, expected, onUnhealthy, onChanged, allowFallback },
    ...(usable && { source: typeof source === 'string' ? filePlace(RED, source.trim()) : source }),
  }
}
