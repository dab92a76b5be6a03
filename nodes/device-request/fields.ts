import type { UploadId } from '../../lib/contract'
import { deadlineField, deviceField, formKinds, type NodeDescription } from '../shared/fields/description'
import { farReaching } from '../shared/permission'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/device-request.json'
import type en from './locales/en-US/device-request.json'

/** The operations that take a file; the compiler compares them with the contract. */
const uploads = {
  uploadFirmware: true,
  uploadLicense: true,
  putTemplate: true,
  putGripperElement: true,
} satisfies Record<UploadId, true>

const anyOf = (operations: object) => Object.keys(operations).join('|')

export const deviceRequestNode = {
  type: 'device-request',
  group: 'maintenance',
  icon: 'vision-request.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['output'],
  label: ['operation'],
  fields: {
    device: deviceField,
    /** Id of an operation; if empty, `msg.operation` has it. */
    operation: { kind: 'text', default: '', operationFor: 'input', icon: 'bolt', placeholder: true },
    /** Path parameters, query and body in one object. */
    input: {
      kind: 'typed',
      default: '{}',
      form: { of: 'operation' },
      kinds: formKinds,
      defaultKind: 'json',
      icon: 'list-ul',
    },
    /** Comma-separated folders; a path that is not entered in the dialog must lie below one of them. */
    folders: {
      kind: 'text',
      default: 'uploads',
      icon: 'folder-open-o',
      when: `operation=|${anyOf(uploads)}`,
      placeholder: true,
      hint: true,
    },
    /** Required for operations that can disconnect the device or replace its settings. */
    confirmed: {
      kind: 'switch',
      default: false,
      neededWhen: `operation=${anyOf(farReaching)}`,
      icon: 'exclamation-triangle',
      when: `operation=|${anyOf(farReaching)}`,
      hint: true,
    },
    deadline: deadlineField,
  },
} as const satisfies NodeDescription

export type DeviceRequestFields = FieldsOf<typeof deviceRequestNode>
export type DeviceRequestTexts = Translated<typeof deviceRequestNode, typeof en | typeof de>
