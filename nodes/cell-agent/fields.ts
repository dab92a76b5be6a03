import { type NodeDescription, topicNameRow, topicRootRow } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/cell-agent.json'
import type en from './locales/en-US/cell-agent.json'

export const cellAgentNode = {
  type: 'cell-agent',
  group: 'cell',
  icon: 'vision-device.svg',
  inputs: 1,
  changes: true,
  outputs: ['mqtt', 'flows', 'sparkplug'],
  label: ['plant', 'cell'],
  fields: {
    root: topicRootRow,
    plant: { ...topicNameRow, icon: 'industry', placeholder: 'north' },
    cell: { ...topicNameRow, icon: 'cube', placeholder: 'cell-1', hint: true },
    /** Comma-separated names of devices; empty: all in this Node-RED. */
    devices: { kind: 'text', default: '', icon: 'camera', placeholder: true },
    /** Seconds between two states, at most. */
    every: { kind: 'number', default: 30, least: 1, most: 3600, unit: 's', icon: 'heartbeat', hint: true },
    maySet: { kind: 'switch', default: false, icon: 'sliders', section: 'rights', hint: true },
    mayBackup: { kind: 'switch', default: false, icon: 'floppy-o', section: 'rights', hint: true },
    mayRestore: { kind: 'switch', default: false, icon: 'undo', section: 'rights', hint: true },
    /** Comma-separated, `dev_camera/acquisition_trigger`. */
    services: {
      kind: 'text',
      default: '',
      pattern: '^(\\s*[\\w-]{1,100}/[\\w-]{1,100}\\s*(,|$))*$',
      icon: 'cogs',
      section: 'rights',
      placeholder: 'dev_stereomatching/acquisition_trigger',
      hint: true,
    },
    /** Comma-separated names of flows. */
    flows: {
      kind: 'text',
      default: '',
      pattern: '^(\\s*[\\w.-]{1,64}\\s*(,|$))*$',
      icon: 'random',
      section: 'rights',
      placeholder: 'light-on, shift-report',
      hint: true,
    },
    mayUpdate: { kind: 'switch', default: false, icon: 'microchip', section: 'rights', hint: true },
    /** Comma-separated hosts, `host` or `host:port`, from which artifacts are fetched. */
    sources: {
      kind: 'text',
      default: '',
      neededWhen: 'mayUpdate=true',
      icon: 'server',
      section: 'rights',
      when: 'mayUpdate=true',
      placeholder: 'files.plant.local:8080',
      hint: true,
    },
    /** Mebibytes of an artifact, at most. */
    mostArtifact: {
      kind: 'number',
      default: 2048,
      least: 1,
      most: 65536,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'balance-scale',
      section: 'rights',
      when: 'mayUpdate=true',
    },
    /** Seconds for which a device or a server may keep an update waiting. */
    patience: {
      kind: 'number',
      default: 3600,
      least: 1,
      most: 86_400,
      unit: 's',
      icon: 'hourglass-half',
      section: 'rights',
      when: 'mayUpdate=true',
      hint: true,
    },
    /** Whether the cell is an edge node of Sparkplug B, too. */
    sparkplug: { kind: 'switch', default: false, icon: 'plug', section: 'sparkplug', hint: true },
    /** Id of the host without which nothing is published; empty: none. */
    primaryHost: {
      kind: 'text',
      default: '',
      pattern: '^[^/+#]{0,200}$',
      placeholder: true,
      icon: 'desktop',
      section: 'sparkplug',
      when: 'sparkplug=true',
      hint: true,
    },
    /** Comma-separated, `dev_camera/fps`: parameters that hosts see. */
    parameters: {
      kind: 'text',
      default: '',
      pattern: '^(\\s*[\\w-]{1,100}/[\\w-]{1,100}\\s*(,|$))*$',
      icon: 'list',
      section: 'sparkplug',
      when: 'sparkplug=true',
      placeholder: 'dev_camera/fps',
      hint: true,
    },
    /** Where backups and artifacts are. */
    folder: { kind: 'text', default: 'fleet', icon: 'folder-open-o', section: 'more', hint: true },
    /** Minutes between two fingerprints of the settings; 0: none. */
    fingerprint: {
      kind: 'number',
      default: 60,
      least: 1,
      most: 10_080,
      zero: true,
      unit: '1',
      unitText: true,
      icon: 'barcode',
      section: 'more',
      hint: true,
    },
    /** Seconds within which a flow hands back its result. */
    flowWithin: {
      kind: 'number',
      default: 60,
      least: 0.1,
      most: 86_400,
      unit: 's',
      icon: 'clock-o',
      section: 'more',
    },
    /** Hours after which the broker forgets a silent cell. */
    expires: {
      kind: 'number',
      default: 24,
      least: 0.1,
      most: 168,
      unit: '1',
      unitText: true,
      icon: 'trash-o',
      section: 'more',
    },
  },
} as const satisfies NodeDescription

export type CellAgentFields = FieldsOf<typeof cellAgentNode>
export type CellAgentTexts = Translated<typeof cellAgentNode, typeof en | typeof de>
