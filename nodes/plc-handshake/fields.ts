import { wordOrders } from '../../lib/plc/data'
import { familyIds } from '../../lib/plc/families'
import {
  allowedRow,
  customFormatRow,
  type NodeDescription,
  ownAddressRow,
  portRow,
  poseFormatRow,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/plc-handshake.json'
import type en from './locales/en-US/plc-handshake.json'

/** Of an SLMP request. */
const routeRow = {
  kind: 'number',
  least: 0,
  most: 255,
  whole: true,
  unit: '1',
  when: 'connection=slmp',
  section: 'advanced',
} as const

/** Two bytes, as the programming tool of a LOGO! writes them. */
const tsapRow = {
  kind: 'text',
  default: '',
  pattern: '^([0-9A-Fa-f]{2}\\.[0-9A-Fa-f]{2})?$',
  when: 'connection=s7-client & cpu=logo',
  section: 'advanced',
} as const

export const plcHandshakeNode = {
  type: 'plc-handshake',
  group: 'config',
  icon: 'vision-plc.svg',
  namePlaceholder: true,
  fields: {
    /**
     * `server`: the PLC connects to us and writes; `client`, `s7-client`, `slmp`: we connect to the PLC and poll. All others: nodes of others read
     * and write, and a node *PLC messages* stands between them.
     */
    connection: {
      kind: 'choice',
      default: 'server',
      choices: [
        'server',
        'client',
        's7-client',
        'slmp',
        's7',
        'opcua',
        'mqtt',
        'sparkplug',
        'ads',
        'modbus',
        'ethernet-ip',
        'any',
      ],
      icon: 'exchange',
      hint: {
        server: 'connection=server',
        client: 'connection=client',
        s7Client: 'connection=s7-client',
        slmp: 'connection=slmp',
        messages: 'connection=s7|opcua|mqtt|sparkplug|ads|modbus|ethernet-ip|any',
        s7: 'connection=s7',
        opcua: 'connection=opcua',
        mqtt: 'connection=mqtt',
        sparkplug: 'connection=sparkplug',
        ads: 'connection=ads',
        modbus: 'connection=modbus',
        ethernetIp: 'connection=ethernet-ip',
        any: 'connection=any',
      },
    },
    /** Own address that the server listens on. */
    listen: { ...ownAddressRow, when: 'connection=server', neededWhen: 'connection=server' },
    /** Comma-separated addresses of PLCs that may connect. */
    allow: { ...allowedRow, when: 'connection=server' },
    port: { ...portRow, default: 1502, when: 'connection=server', hint: true },
    /** Address of the PLC. */
    host: {
      kind: 'text',
      default: '',
      icon: 'microchip',
      when: 'connection=client|s7-client|slmp',
      neededWhen: 'connection=client|s7-client|slmp',
      placeholder: true,
    },
    hostPort: { ...portRow, default: 502, when: 'connection=client' },
    s7Port: { ...portRow, default: 102, when: 'connection=s7-client' },
    /** The PLC has none by itself: it is set there. */
    slmpPort: { ...portRow, default: 5007, when: 'connection=slmp', hint: true },
    transport: {
      kind: 'choice',
      default: 'tcp',
      choices: ['tcp', 'udp'],
      icon: 'exchange',
      when: 'connection=slmp',
    },
    /** The first of the registers of the map. */
    firstDevice: {
      kind: 'text',
      default: 'D100',
      pattern: '^\\s*(?:[DR][0-9]{1,7}|ZR[0-9]{1,7}|W[0-9A-Fa-f]{1,6})\\s*$',
      icon: 'database',
      when: 'connection=slmp',
      hint: true,
    },
    /** Presets rack, slot and TSAPs. */
    cpu: {
      kind: 'choice',
      default: '1200-1500',
      choices: ['1200-1500', '300', '400', 'logo'],
      icon: 'server',
      when: 'connection=s7-client',
    },
    /** Number of the data block that the map is in. */
    block: {
      kind: 'number',
      default: 1,
      least: 1,
      most: 65_535,
      whole: true,
      unit: '1',
      icon: 'database',
      when: 'connection=s7-client',
      hint: true,
    },
    /** Milliseconds from one poll to the next. */
    poll: {
      kind: 'number',
      default: 50,
      least: 5,
      most: 10000,
      unit: 'ms',
      icon: 'tachometer',
      when: 'connection=client|s7-client|slmp|opcua',
      hint: true,
    },
    /** Seconds without a value of the PLC after which the connection counts as lost. */
    silentAfter: {
      kind: 'number',
      default: 3,
      least: 0.2,
      most: 3600,
      unit: 's',
      icon: 'chain-broken',
      when: 'connection=s7|opcua|mqtt|sparkplug|ads|modbus|ethernet-ip|any',
      hint: true,
    },
    /** What the names of the map begin with; empty: as usual for the protocol. */
    prefix: {
      kind: 'text',
      default: '',
      icon: 'tag',
      when: 'connection=s7|opcua|mqtt|sparkplug|ads|ethernet-ip|any',
      hint: true,
    },
    family: {
      kind: 'choice',
      default: 'sequence',
      choices: familyIds,
      icon: 'retweet',
      hint: {
        sequence: 'family=sequence',
        fourPhases: 'family=four-phases',
        controlWords: 'family=control-words',
        exeBusyFlg: 'family=exe-busy-flg',
        commandEcho: 'family=command-echo',
      },
    },
    /** Seconds from the trigger to the answer. */
    deadline: {
      kind: 'number',
      default: 6,
      least: 0.05,
      most: 3600,
      unit: 's',
      icon: 'clock-o',
      hint: true,
    },
    whileBusy: {
      kind: 'choice',
      default: '',
      choices: ['', 'refuse', 'queue'],
      icon: 'hourglass-half',
    },
    onDrop: {
      kind: 'choice',
      default: 'finish',
      choices: ['finish', 'abort'],
      icon: 'level-down',
      when: 'family=four-phases|control-words|exe-busy-flg|command-echo',
    },
    /** Milliseconds for which done or error stands at least; empty is as usual for the handshake. */
    minimumDone: {
      kind: 'number',
      default: '',
      optional: true,
      least: 0,
      most: 60000,
      unit: 'ms',
      icon: 'flag-checkered',
      section: 'advanced',
      hint: true,
    },
    /** Seconds in which the PLC must release the answer; one that stood so long counts as read. */
    releaseWithin: {
      kind: 'number',
      default: 10,
      least: 0.1,
      most: 3600,
      unit: 's',
      icon: 'bell-o',
      section: 'advanced',
      hint: true,
    },
    /** Seconds in which the PLC's own life signal must change. */
    plcLifeWithin: {
      kind: 'number',
      default: 3,
      least: 0.1,
      most: 3600,
      unit: 's',
      icon: 'heartbeat',
      section: 'advanced',
      hint: true,
    },
    /** Modbus unit identifier. */
    unitId: {
      kind: 'number',
      default: 1,
      least: 0,
      most: 255,
      whole: true,
      unit: '1',
      icon: 'hashtag',
      when: 'connection=server|client',
      section: 'advanced',
      hint: { ownUnit: 'connection=server' },
    },
    /** Where the CPU is; empty: as usual for it. */
    rack: {
      kind: 'number',
      default: '',
      optional: true,
      least: 0,
      most: 7,
      whole: true,
      unit: '1',
      icon: 'bars',
      when: 'connection=s7-client & cpu=1200-1500|300|400',
      section: 'advanced',
    },
    slot: {
      kind: 'number',
      default: '',
      optional: true,
      least: 0,
      most: 31,
      whole: true,
      unit: '1',
      icon: 'columns',
      when: 'connection=s7-client & cpu=1200-1500|300|400',
      section: 'advanced',
      hint: true,
    },
    /** TSAPs of a LOGO!; empty: as usual for it. */
    localTsap: { ...tsapRow, icon: 'sign-out' },
    remoteTsap: { ...tsapRow, icon: 'sign-in', hint: true },
    /** Which CPU; as they are, the one at this address. */
    network: { ...routeRow, default: 0, icon: 'sitemap' },
    pcNumber: { ...routeRow, default: 255, icon: 'desktop' },
    station: { ...routeRow, default: 0, icon: 'code-fork', hint: true },
    /** First register of the map. */
    offset: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 65000,
      whole: true,
      unit: '1',
      icon: 'arrows-h',
      when: 'connection=server|client|modbus',
      section: 'advanced',
      hint: true,
    },
    /** Order of the words and bytes of 32-bit values. */
    order: {
      kind: 'choice',
      default: 'ABCD',
      choices: wordOrders,
      icon: 'random',
      when: 'connection=server|client|modbus',
      section: 'advanced',
      hint: true,
    },
    /** Milliseconds in which the PLC must answer a request. */
    answerWithin: {
      kind: 'number',
      default: 1000,
      least: 20,
      most: 60000,
      unit: 'ms',
      icon: 'hourglass-end',
      when: 'connection=client|s7-client|slmp',
      section: 'advanced',
    },
    /** How poses are written. */
    poseFormat: { ...poseFormatRow, icon: 'android', section: 'map' },
    /** What describes a format of one's own. */
    poseFormatCustom: {
      ...customFormatRow,
      when: 'poseFormat=custom',
      neededWhen: 'poseFormat=custom',
      section: 'map',
    },
    /** Lines of the register map as JSON; an empty list is the map of the family. */
    map: { kind: 'json', default: '[]', isList: true, icon: 'table', section: 'map', hint: true },
    /** Codes that differ from the table, as JSON: `{ "TIMEOUT": 202 }`. */
    codes: { kind: 'json', default: '{}', icon: 'list-ol', section: 'map', hint: true },
  },
} as const satisfies NodeDescription

export type PlcHandshakeFields = FieldsOf<typeof plcHandshakeNode>
export type PlcHandshakeTexts = Translated<typeof plcHandshakeNode, typeof en | typeof de>
