import type { FieldKind } from '../shared/field-kind'

/** The fields of the node and their defaults; the dialog's `defaults` are checked against them. */
export const backupFields = {
  name: '',
  /** Id of a `vision-device-config` node. */
  device: '',
  action: 'save' as 'save' | 'restore' | 'compare',
  /** What a backup has. */
  pipelines: true,
  loadCarriers: true,
  regions: true,
  grippers: true,
  target: 'file' as 'file' | 'message',
  /** Path with `{date}`, `{time}`, `{hostname}`, `{serial}` in it. */
  file: 'backups/{hostname}/{date}_{time}.json',
  fileType: 'str' as FieldKind,
  /** Path of a file, or a backup itself. */
  source: '',
  sourceType: 'str' as FieldKind,
  against: 'device' as 'device' | 'other',
  /** Path of a file, or a backup itself. */
  other: '',
  otherType: 'str' as FieldKind,
  /** Paths that are not typed into the dialog lie below these folders, with commas between them. */
  folders: 'backups',
  /** Restoring replaces settings of the device; nobody does that by accident. */
  confirmed: false,
}
export type BackupFields = typeof backupFields
