import { recordKinds } from '../../lib/contract/reading/record-kinds'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import {
  deviceField,
  nameKinds,
  type NodeDescription,
  type RecordForm,
  type RecordRow,
} from '../shared/fields/description'
import type de from './locales/de/database.json'
import type en from './locales/en-US/database.json'

const frame = {
  path: 'pose_frame',
  choices: ['camera', 'external'],
  label: 'frame',
  icon: 'location-arrow',
} as const satisfies RecordRow

const position = {
  numbers: 'pose.position',
  axes: 'xyz',
  measure: 'length',
  label: 'position',
  icon: 'crosshairs',
} as const satisfies RecordRow

const rotation = {
  numbers: 'pose.orientation',
  axes: 'xyz',
  measure: 'angle',
  label: 'rotation',
  icon: 'rotate-left',
} as const satisfies RecordRow

const box = {
  numbers: 'box',
  axes: 'xyz',
  measure: 'length',
  needed: true,
  if: 'type=BOX',
  label: 'box',
  icon: 'arrows-alt',
} as const satisfies RecordRow

const posed = { if: 'pose_type=ORIENTATION_PRIOR|EXACT_POSE' }

const length = { measure: 'length' } as const

const pixels = { measure: 'pixels' } as const

const recordForms = [
  {
    when: 'action=set & from=form & kind=region',
    rows: [
      { path: 'type', choices: ['BOX', 'SPHERE'], label: 'shape', icon: 'cube' },
      box,
      {
        ...length,
        numbers: 'sphere.radius',
        needed: true,
        if: 'type=SPHERE',
        label: 'radius',
        icon: 'arrows-alt',
      },
      frame,
      position,
      rotation,
    ],
  },
  {
    when: 'action=set & from=form & kind=region2d',
    rows: [
      { ...pixels, numbers: 'offset_x', label: 'offset_x', icon: 'arrow-right' },
      { ...pixels, numbers: 'offset_y', label: 'offset_y', icon: 'arrow-down' },
      { ...pixels, numbers: 'width', needed: true, label: 'width', icon: 'arrows-h' },
      { ...pixels, numbers: 'height', needed: true, label: 'height', icon: 'arrows-v' },
    ],
  },
  {
    when: 'action=set & from=form & kind=loadCarrier',
    rows: [
      { path: 'type', choices: ['STANDARD', 'THREE_SIDED'], label: 'model', icon: 'archive' },
      {
        ...length,
        numbers: 'outer_dimensions',
        axes: 'xyz',
        needed: true,
        label: 'outer',
        icon: 'arrows-alt',
      },
      { ...length, numbers: 'inner_dimensions', axes: 'xyz', needed: true, label: 'inner', icon: 'compress' },
      { ...length, numbers: 'rim_thickness', axes: 'xy', label: 'rim', icon: 'arrows-alt' },
      { ...length, numbers: 'rim_ledge', axes: 'xy', label: 'ledge', icon: 'arrows-alt' },
      { ...length, numbers: 'rim_step_height', label: 'step', icon: 'arrows-v' },
      { ...length, numbers: 'height_open_side', if: 'type=THREE_SIDED', label: 'openSide', icon: 'arrows-v' },
      {
        path: 'pose_type',
        choices: ['NO_POSE', 'ORIENTATION_PRIOR', 'EXACT_POSE'],
        label: 'poseType',
        icon: 'map-marker',
      },
      { ...frame, ...posed },
      { ...position, ...posed },
      { ...rotation, ...posed },
    ],
  },
  {
    when: 'action=set & from=form & kind=gripper',
    rows: [
      { ...length, numbers: 'flange_radius', needed: true, label: 'flange', icon: 'circle-o' },
      { path: 'tcp_parent_id', placeholder: 'parent', label: 'tcpParent', icon: 'level-up' },
      { ...position, numbers: 'tcp_pose_parent.position', label: 'tcpPosition' },
      { ...rotation, numbers: 'tcp_pose_parent.orientation', label: 'tcpRotation' },
      {
        list: 'elements',
        add: 'add',
        rows: [
          { path: 'id', needed: true, label: 'element', icon: 'cube' },
          { path: 'parent_id', needed: true, placeholder: 'parent', label: 'parent', icon: 'level-up' },
          { path: 'type', choices: ['BOX', 'CYLINDER', 'CAD'], label: 'shape', icon: 'cube' },
          box,
          {
            ...length,
            numbers: 'cylinder.radius',
            needed: true,
            if: 'type=CYLINDER',
            label: 'radius',
            icon: 'arrows-alt',
          },
          {
            ...length,
            numbers: 'cylinder.height',
            needed: true,
            if: 'type=CYLINDER',
            label: 'heightOf',
            icon: 'arrows-v',
          },
          { path: 'cad.id', needed: true, if: 'type=CAD', label: 'cad', icon: 'file-o' },
          position,
          rotation,
        ],
      },
    ],
  },
] as const satisfies readonly RecordForm[]

export const databaseNode = {
  type: 'database',
  group: 'configure',
  icon: 'vision-database.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['output'],
  fields: {
    device: deviceField,
    kind: {
      kind: 'choice',
      default: 'region',
      choices: recordKinds,
      icon: 'database',
    },
    action: { kind: 'choice', default: 'set', choices: ['set', 'get', 'delete'], icon: 'play' },
    recordId: {
      kind: 'typed',
      default: '',
      kinds: nameKinds,
      pick: 'record',
      severalWhen: 'action=get|delete',
      icon: 'tag',
      placeholder: true,
      hint: { get: 'action=get', delete: 'action=delete', set: 'action=set & from=message' },
      optional: true,
      neededWhen: 'action=delete ; action=set & from=form',
    },
    from: {
      kind: 'choice',
      default: 'form',
      choices: ['form', 'message'],
      icon: 'sign-in',
      when: 'action=set',
    },
    record: {
      kind: 'typed',
      default: 'payload',
      kinds: ['msg', 'json', 'flow', 'global', 'jsonata'],
      icon: 'file-text-o',
      when: 'action=set & from=message',
      hint: true,
    },
    unit: {
      kind: 'choice',
      default: 'mm',
      choices: ['mm', 'm'],
      icon: 'arrows-h',
      when: 'action=set & from=form & kind=region|loadCarrier|gripper',
    },
    form: { kind: 'record', default: '{}', unitField: 'unit', forms: recordForms },
  },
} as const satisfies NodeDescription

export type DatabaseFields = FieldsOf<typeof databaseNode>

export type DatabaseTexts = Translated<typeof databaseNode, typeof en | typeof de>
