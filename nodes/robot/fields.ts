import { answerWithinRow, messageKinds, type NodeDescription } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/robot.json'
import type en from './locales/en-US/robot.json'

export const robotNode = {
  type: 'robot',
  group: 'cell',
  icon: 'vision-pose.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['done', 'events'],
  secondOutputWhen: 'action=move',
  fields: {
    robot: { kind: 'config', of: 'vision-robot-config', required: true, icon: 'android' },
    action: { kind: 'choice', default: 'read', choices: ['read', 'move', 'stop'], icon: 'play' },
    /** In the robot's format; or `home`. */
    poses: {
      kind: 'typed',
      default: 'payload',
      kinds: messageKinds,
      icon: 'crosshairs',
      when: 'action=move',
      hint: true,
    },
    /** Millimetres per second; empty: the limit. */
    speed: {
      kind: 'number',
      default: '',
      least: 1,
      most: 250,
      unit: 'mm',
      unitText: true,
      optional: true,
      icon: 'tachometer',
      when: 'action=move',
    },
    confirm: {
      kind: 'choice',
      default: 'each',
      choices: ['each', 'message', 'held', 'none'],
      icon: 'hand-paper-o',
      when: 'action=move',
      hint: {
        each: 'confirm=each',
        message: 'confirm=message',
        held: 'confirm=held',
        none: 'confirm=none',
      },
    },
    /** Longest pause between enable messages, ms. */
    heldFor: {
      kind: 'number',
      default: 300,
      least: 100,
      most: 1000,
      unit: 'ms',
      icon: 'hourglass-half',
      when: 'action=move&confirm=held',
      hint: true,
    },
    /** Seconds. */
    confirmWithin: { ...answerWithinRow, when: 'action=move' },
    reads: {
      kind: 'choice',
      default: 'message',
      choices: ['message', 'stream'],
      icon: 'rss',
      when: 'action=read',
    },
    /** Messages per second. */
    rate: {
      kind: 'number',
      default: 5,
      least: 0.01,
      most: 50,
      unit: 'Hz',
      icon: 'tachometer',
      when: 'action=read&reads=stream',
    },
    shape: {
      kind: 'choice',
      default: 'object',
      choices: ['object', 'array', 'text'],
      labels: { key: 'shape', node: 'robot-pose' },
      icon: 'cubes',
      when: 'action=read|move',
    },
  },
} as const satisfies NodeDescription

export type RobotFields = FieldsOf<typeof robotNode>
export type RobotTexts = Translated<typeof robotNode, typeof en | typeof de>
