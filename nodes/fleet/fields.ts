import { type NodeDescription, topicNameRow, topicRootRow } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/fleet.json'
import type en from './locales/en-US/fleet.json'

export const fleetNode = {
  type: 'fleet',
  group: 'maintenance',
  icon: 'vision-fleet.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['broker', 'answers', 'fleet', 'events'],
  label: ['centre'],
  fields: {
    root: topicRootRow,
    /** By which cells answer it. */
    centre: { ...topicNameRow, default: 'centre-1', icon: 'bullseye', hint: true },
    mayOrder: { kind: 'switch', default: false, icon: 'exclamation-triangle', hint: true },
    /** Topic of answers. */
    answersTo: {
      kind: 'choice',
      default: 'centre',
      choices: ['centre', 'cell'],
      icon: 'reply',
      when: 'mayOrder=true',
      hint: true,
    },
    /** Label to places: plants, cells or devices. */
    labels: { kind: 'json', default: '{}', icon: 'tags', hint: true },
    canary: {
      kind: 'number',
      default: 1,
      least: 0,
      most: 20000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'flask',
      section: 'rollouts',
    },
    /** Share of all devices in each further wave, percent. */
    wave: {
      kind: 'number',
      default: 10,
      least: 1,
      most: 100,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'clone',
      section: 'rollouts',
    },
    stopAfter: {
      kind: 'number',
      default: 1,
      least: 1,
      most: 20000,
      whole: true,
      unit: '1',
      unitText: true,
      icon: 'hand-paper-o',
      section: 'rollouts',
    },
    approval: {
      kind: 'choice',
      default: 'canary',
      choices: ['none', 'canary', 'each'],
      icon: 'pause',
      section: 'rollouts',
    },
    /** Seconds to wait for a cell that is not seen. */
    reachWithin: {
      kind: 'number',
      default: 600,
      least: 1,
      most: 604800,
      unit: 's',
      icon: 'hourglass-half',
      section: 'rollouts',
      hint: true,
    },
    /** Seconds without a sign of a job. */
    answerWithin: {
      kind: 'number',
      default: 3600,
      least: 1,
      most: 604800,
      unit: 's',
      icon: 'clock-o',
      section: 'rollouts',
      hint: true,
    },
    /** Seconds between two messages with the state of the fleet. */
    updateEvery: {
      kind: 'number',
      default: 2,
      least: 1,
      most: 3600,
      unit: 's',
      icon: 'refresh',
      section: 'page',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type FleetFields = FieldsOf<typeof fleetNode>
export type FleetTexts = Translated<typeof fleetNode, typeof en | typeof de>
