import {
  customFormatRow,
  lengthUnitRow,
  type NodeDescription,
  portRow,
  poseFormatRow,
  stepRow,
  turnRow,
  workspaceRow,
} from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot-config.json'
import type en from './locales/en-US/robot-config.json'

export const robotConfigNode = {
  type: 'robot-config',
  group: 'config',
  icon: 'vision-pose.svg',
  namePlaceholder: true,
  fields: {
    kind: { kind: 'choice', default: 'universal-robots', choices: ['universal-robots'], icon: 'android' },
    host: {
      kind: 'text',
      default: '',
      neededWhen: 'kind=universal-robots',
      placeholder: '192.168.0.20',
      icon: 'globe',
    },
    /** Pose format of this robot in the flow. */
    poseFormat: { ...poseFormatRow, default: 'universal-robots-pendant' },
    poseFormatCustom: { ...customFormatRow, when: 'poseFormat=custom', neededWhen: 'poseFormat=custom' },
    /** Empty: the format's own. */
    unit: lengthUnitRow,
    /** Nothing moves without it. */
    mayMove: { kind: 'switch', default: false, icon: 'exclamation-triangle', hint: true },
    /** Millimetres per second. */
    speed: {
      kind: 'number',
      default: 50,
      least: 1,
      most: 250,
      unit: 'mm',
      unitText: true,
      icon: 'tachometer',
      when: 'mayMove=true',
    },
    /** Millimetres per second squared. */
    acceleration: {
      kind: 'number',
      default: 200,
      least: 10,
      most: 2000,
      unit: 'mm',
      unitText: true,
      icon: 'line-chart',
      when: 'mayMove=true',
    },
    /** Millimetres between two poses. */
    step: { ...stepRow, least: 1, when: 'mayMove=true' },
    /** Degrees between two poses. */
    turn: { ...turnRow, when: 'mayMove=true' },
    /** Ranges in mm in the robot's base; empty: anywhere. */
    box: { ...workspaceRow, placeholder: '200..800, -500..500, 50..700', when: 'mayMove=true' },
    /** Pose `home`, in the format above; empty: none. */
    home: { kind: 'text', default: '', placeholder: true, icon: 'home', when: 'mayMove=true', hint: true },
    /** RTDE: state. */
    rtdePort: { ...portRow, default: 30004, section: 'advanced' },
    /** Primary interface: programs. */
    primaryPort: { ...portRow, default: 30001, section: 'advanced' },
    /** Dashboard: remote control and stop. */
    dashboardPort: { ...portRow, default: 29999, section: 'advanced' },
    /** First of two integer input registers. */
    register: {
      kind: 'number',
      default: 24,
      least: 0,
      most: 46,
      whole: true,
      unit: '1',
      icon: 'list-ol',
      section: 'advanced',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type RobotConfigFields = FieldsOf<typeof robotConfigNode>
export type RobotConfigTexts = Translated<typeof robotConfigNode, typeof en | typeof de>
