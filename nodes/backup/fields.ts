import { deviceField, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf, Translated } from '../shared/fields/checked-fields'
import type de from './locales/de/backup.json'
import type en from './locales/en-US/backup.json'

export const backupNode = {
  type: 'backup',
  group: 'maintenance',
  icon: 'vision-backup.svg',
  inputs: 1,
  changes: 'some',
  outputs: ['output'],
  fields: {
    device: deviceField,
    action: { kind: 'choice', default: 'save', choices: ['save', 'restore', 'compare'], icon: 'play' },
    pipelines: { kind: 'switch', default: true, icon: 'sliders', when: 'action=save', hint: true },
    loadCarriers: { kind: 'switch', default: true, icon: 'archive', when: 'action=save', hint: true },
    regions: { kind: 'switch', default: true, icon: 'object-group', when: 'action=save', hint: true },
    grippers: { kind: 'switch', default: true, icon: 'hand-paper-o', when: 'action=save', hint: true },
    target: {
      kind: 'choice',
      default: 'file',
      choices: ['file', 'message'],
      icon: 'sign-out',
      when: 'action=save',
    },
    /** Path, which may contain `{date}`, `{time}`, `{hostname}` and `{serial}`. */
    file: {
      kind: 'typed',
      default: 'backups/{hostname}/{date}_{time}.json',
      kinds: textKinds,
      icon: 'file-o',
      when: 'action=save & target=file',
      hint: true,
    },
    /** Path of a file, or a backup itself. */
    source: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      icon: 'file-text-o',
      when: 'action=restore|compare',
      placeholder: true,
      hint: true,
    },
    against: {
      kind: 'choice',
      default: 'device',
      choices: ['device', 'other'],
      icon: 'exchange',
      when: 'action=compare',
    },
    /** Path of a file, or a backup itself. */
    other: {
      kind: 'typed',
      default: '',
      kinds: textKinds,
      icon: 'files-o',
      when: 'action=compare&against=other',
      placeholder: true,
    },
    /** Comma-separated folders; paths that are not entered in the dialog must lie below one of them. */
    folders: {
      kind: 'text',
      default: 'backups',
      icon: 'folder-open-o',
      when: 'action=save&target=file&fileType=msg|flow|global|jsonata|env ; action=restore|compare&sourceType=msg|flow|global|jsonata|env ; action=compare&against=other&otherType=msg|flow|global|jsonata|env',
      placeholder: true,
      hint: true,
    },
    /** Restoring replaces settings of the device, and must not happen by accident. */
    confirmed: {
      kind: 'switch',
      default: false,
      neededWhen: 'action=restore',
      icon: 'exclamation-triangle',
      when: 'action=restore',
      hint: true,
    },
  },
} as const satisfies NodeDescription

export type BackupFields = FieldsOf<typeof backupNode>
export type BackupTexts = Translated<typeof backupNode, typeof en | typeof de>
