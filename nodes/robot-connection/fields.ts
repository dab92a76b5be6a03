import { robotInterface, dialectIds } from '../../lib/robots/dialects'
import {
  allowedRow,
  customFormatRow,
  lengthUnitRow,
  type NodeDescription,
  ownAddressRow,
  portRow,
  poseFormatRow,
  workspaceRow,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot-connection.json'
import type en from './locales/en-US/robot-connection.json'

export const robotConnectionNode = {
  type: 'robot-connection',
  group: 'config',
  icon: 'vision-pose.svg',
  namePlaceholder: true,
  fields: {
    way: {
      kind: 'choice',
      default: 'universal-robots',
      choices: [...dialectIds, robotInterface],
      icon: 'android',
      hint: {
        universalRobots: 'way=universal-robots',
        kuka: 'way=kuka',
        abb: 'way=abb',
        fanuc: 'way=fanuc',
        ascii: 'way=ascii',
        robotInterface: 'way=robot-interface',
      },
    },
    /** For dialects that do not define it. */
    poseFormat: { ...poseFormatRow, when: 'way=ascii' },
    poseFormatCustom: {
      ...customFormatRow,
      when: 'way=ascii&poseFormat=custom',
      neededWhen: 'way=ascii&poseFormat=custom',
    },
    /** Empty: the format's own. */
    unit: { ...lengthUnitRow, when: 'way=ascii' },
    listen: { ...ownAddressRow, neededWhen: 'always' },
    allow: allowedRow,
    port: { ...portRow, default: 8112 },
    /** Comma-separated; empty: any. */
    commands: {
      kind: 'text',
      default: 'PICK',
      when: 'way=universal-robots|kuka|abb|fanuc|ascii',
      icon: 'terminal',
      hint: true,
    },
    /** Comma-separated numbers; empty: any. */
    jobs: {
      kind: 'text',
      default: '',
      pattern: '^ *(?:\\d{1,5} *(?:, *\\d{1,5} *)*)?$',
      when: 'way=robot-interface',
      placeholder: '0, 1, 2',
      icon: 'list-ol',
      hint: true,
    },
    /** Required for STATUS to be ready; empty: none. */
    device: {
      kind: 'config',
      of: 'vision-device-config',
      when: 'way=robot-interface',
      icon: 'camera',
      hint: true,
    },
    /** Seconds from request to answer. */
    deadline: { kind: 'number', default: 6, least: 0.05, most: 3600, unit: 's', icon: 'clock-o', hint: true },
    /** Age limit of a picture, seconds. */
    oldest: { kind: 'number', default: 30, least: 0.1, most: 86400, unit: 's', icon: 'history', hint: true },
    /** Ranges in mm in the robot's base; empty: anywhere. */
    box: { ...workspaceRow, placeholder: '-200..800, -500..500, 0..600', section: 'advanced' },
    /** Millimetres against the z axis of the pose. */
    approach: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 2000,
      unit: 'mm',
      icon: 'arrow-down',
      section: 'advanced',
      hint: true,
    },
    /** Millimetres upwards. */
    retreat: {
      kind: 'number',
      default: 0,
      least: 0,
      most: 2000,
      unit: 'mm',
      icon: 'arrow-up',
      section: 'advanced',
      hint: true,
    },
    /** End of an answer; empty: as usual for the robot. */
    lineEnd: {
      kind: 'choice',
      default: '',
      choices: ['', 'lf', 'crlf', 'cr', 'none'],
      when: 'way=universal-robots|kuka|abb|fanuc|ascii',
      icon: 'level-down',
      section: 'advanced',
    },
  },
} as const satisfies NodeDescription

export type RobotConnectionFields = FieldsOf<typeof robotConnectionNode>
export type RobotConnectionTexts = Translated<typeof robotConnectionNode, typeof en | typeof de>
