import type { Node, NodeAPI } from 'node-red'
import type { CellName, CommandKind } from '../../lib/fleet/messages'
import type { Rights } from '../../lib/fleet/agent/command-policy'
import { environmentText } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import { loadFleet } from '../shared/load-later'
import { cellAgentNode, type CellAgentFields } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('cell-agent')

export interface SparkplugSettings {
  /** Empty: none. */
  primaryHost: string
  /** Parameters that hosts see, `node/name`. */
  parameters: string[]
}

/** The settings of an agent, checked. */
export interface CellSettings extends CellName {
  devices: string[]
  rights: Rights
  sources: string[]
  /** Of an edge node of Sparkplug B, if the cell is one. */
  sparkplug?: SparkplugSettings
  folder: string
  /** Seconds. */
  every: number
  expires: number
  patience: number
  /** Milliseconds. */
  fingerprint: number
  flowWithin: number
  /** Bytes. */
  mostArtifact: number
}

/** @throws INVALID_INPUT naming the field */
export function settingsOf(RED: NodeAPI, node: Node, fields: CellAgentFields): CellSettings {
  const text = (
    field:
      | ('root' | 'plant' | 'cell' | 'devices' | 'services' | 'flows' | 'sources' | 'folder')
      | ('primaryHost' | 'parameters'),
  ) => environmentText(RED, node, field, fields[field]).trim()
  const list = (...given: Parameters<typeof text>) =>
    text(...given)
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  const number = (
    field: 'every' | 'expires' | 'patience' | 'fingerprint' | 'flowWithin' | 'mostArtifact',
  ): number => numberOf(cellAgentNode, fields, field)

  const { isName, isPlant, isRoot } = loadFleet()
  const [root, plant, cell] = [text('root'), text('plant'), text('cell')]
  if (!isRoot(root)) throw invalidInput('cell-name', { field: 'root', value: root })
  if (!isPlant(plant)) throw invalidInput('cell-name', { field: 'plant', value: plant })
  if (!isName(cell)) throw invalidInput('cell-name', { field: 'cell', value: cell })
  const folder = text('folder')
  if (!folder) throw invalidInput('empty-field', { field: 'folder' })
  const kinds: CommandKind[] = [
    ...(fields.maySet ? (['set-parameters'] as const) : []),
    ...(fields.mayBackup ? (['backup'] as const) : []),
    ...(fields.mayRestore ? (['restore'] as const) : []),
    ...(fields.mayUpdate ? (['update-firmware'] as const) : []),
  ]
  return {
    ...{ root, plant, cell, folder },
    devices: list('devices'),
    rights: { kinds: new Set(kinds), services: list('services'), flows: list('flows') },
    sources: list('sources'),
    ...(fields.sparkplug && {
      sparkplug: { primaryHost: text('primaryHost'), parameters: list('parameters') },
    }),
    every: number('every'),
    expires: Math.max(60, Math.round(3600 * number('expires'))),
    patience: number('patience'),
    fingerprint: 60_000 * number('fingerprint'),
    flowWithin: 1000 * number('flowWithin'),
    mostArtifact: 1024 ** 2 * number('mostArtifact'),
  }
}
