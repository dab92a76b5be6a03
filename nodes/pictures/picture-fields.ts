import { messageKinds, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf } from '../shared/fields/checked-fields'

/** Its locale files have the labels for all nodes that send pictures. */
const node = 'image-receive'

/** Common to all nodes that send pictures; texts in `nodes/shared/fields/words/`. */
export const pictureFields = {
  left: {
    kind: 'choice',
    default: 'grey',
    choices: ['grey', 'colour', 'none'],
    labels: { key: 'left', node },
    icon: 'picture-o',
  },
  depth: {
    kind: 'choice',
    default: 'none',
    choices: ['none', 'colours', 'millimetres', 'metres'],
    labels: { key: 'depth', node },
    icon: 'area-chart',
  },
  cloud: {
    kind: 'choice',
    default: 'none',
    choices: ['none', 'message', 'points', 'file'],
    labels: { key: 'cloud', node },
    icon: 'cubes',
  },
  /** May contain `{date}`, `{time}` and `{timestamp}`. */
  cloudFile: {
    kind: 'typed',
    default: 'clouds/{timestamp}.ply',
    kinds: textKinds,
    icon: 'file-o',
    when: 'cloud=file',
    hint: true,
  },
  /** Paths that are not entered in the dialog must lie below one of these comma-separated folders. */
  folders: {
    kind: 'text',
    default: 'clouds',
    icon: 'folder-open-o',
    when: 'cloud=file&cloudFileType=msg|flow|global|jsonata|env',
    placeholder: 'clouds',
  },
  cloudFrame: {
    kind: 'choice',
    default: 'camera',
    choices: ['camera', 'robot', 'loadCarrier'],
    labels: { key: 'cloudFrame', node },
    icon: 'crosshairs',
    when: 'cloud=message|points|file',
    hint: true,
  },
  /** Flange; needed for a camera on the robot. */
  robotPose: {
    kind: 'typed',
    default: 'robot_pose',
    kinds: messageKinds,
    optional: true,
    icon: 'location-arrow',
    when: 'cloud=message|points|file & cloudFrame=robot|loadCarrier',
    hint: true,
  },
  /** As detected by the device. */
  loadCarrier: {
    kind: 'typed',
    default: 'load_carrier',
    kinds: messageKinds,
    icon: 'archive',
    when: 'cloud=message|points|file & cloudFrame=loadCarrier',
    hint: true,
  },
  /** In the frame of the points; empty keeps all, or those in the load carrier. */
  cloudRegion: {
    kind: 'typed',
    default: 'region',
    kinds: messageKinds,
    optional: true,
    icon: 'object-group',
    when: 'cloud=message|points|file',
    hint: true,
  },
  /** Edge in mm of cubes that keep one point each; 0 keeps all. */
  cloudCell: {
    kind: 'number',
    default: 0,
    least: 0.1,
    most: 1000,
    zero: true,
    unit: 'mm',
    icon: 'th',
    when: 'cloud=message|points|file',
    hint: true,
  },
  picturesAs: {
    kind: 'choice',
    default: 'png',
    choices: ['png', 'dataUrl', 'raw'],
    labels: { key: 'picturesAs', node },
    icon: 'file-image-o',
  },
  right: { kind: 'switch', default: false, icon: 'clone', section: 'pictures', hint: true },
  confidence: { kind: 'switch', default: false, icon: 'check-circle-o', section: 'pictures', hint: true },
  disparityError: { kind: 'switch', default: false, icon: 'arrows-h', section: 'pictures', hint: true },
  /** 0 to 1; points of lower confidence are left out. */
  leastConfidence: {
    kind: 'number',
    default: 0,
    least: 0,
    most: 1,
    unit: '1',
    icon: 'filter',
    when: 'cloud=message|points|file',
    section: 'pictures',
  },
  /** Empty: unlimited. */
  cloudPoints: {
    kind: 'number',
    default: '',
    least: 1,
    most: 20_000_000,
    whole: true,
    unit: '1',
    unitText: true,
    optional: true,
    icon: 'sort-numeric-asc',
    when: 'cloud=message|points|file',
    section: 'pictures',
  },
  cloudColours: {
    kind: 'switch',
    default: true,
    icon: 'paint-brush',
    when: 'cloud=message|points|file',
    section: 'pictures',
    hint: true,
  },
  cloudNormals: {
    kind: 'switch',
    default: false,
    icon: 'long-arrow-up',
    when: 'cloud=message|points|file',
    section: 'pictures',
    hint: true,
  },
  plyKind: {
    kind: 'choice',
    default: 'binary',
    choices: ['binary', 'text'],
    labels: { key: 'plyKind', node },
    icon: 'file-code-o',
    when: 'cloud=message|file',
    section: 'pictures',
  },
} as const satisfies NodeDescription['fields']

/** For reading these fields alone. */
export const pictureDescription = {
  type: 'pictures',
  icon: '',
  group: 'config',
  fields: pictureFields,
} as const satisfies NodeDescription

export type PictureFields = Omit<FieldsOf<typeof pictureDescription>, 'name'>
