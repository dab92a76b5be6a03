import { messageKinds, type NodeDescription, textKinds } from '../shared/fields/description'
import type { FieldsOf } from '../shared/fields/checked-fields'

/** The labels of the choices are among the texts of this node, for all nodes that send pictures. */
const node = 'image-receive'

/**
 * What a node sends of a set of images, and in which form. Every node that sends pictures has these fields; their texts
 * are those of all nodes, in `nodes/shared/fields/words/`.
 */
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
  /** Path of a PLY file, which may contain `{date}`, `{time}` and `{timestamp}`. */
  cloudFile: {
    kind: 'typed',
    default: 'clouds/{timestamp}.ply',
    kinds: textKinds,
    icon: 'file-o',
    when: 'cloud=file',
    hint: true,
  },
  /** Comma-separated folders; paths that are not entered in the dialog must lie below one of them. */
  folders: {
    kind: 'text',
    default: 'clouds',
    icon: 'folder-open-o',
    when: 'cloud=file&cloudFileType=msg|flow|global|jsonata|env',
    placeholder: 'clouds',
  },
  /** The frame in which the points are. */
  cloudFrame: {
    kind: 'choice',
    default: 'camera',
    choices: ['camera', 'robot', 'loadCarrier'],
    labels: { key: 'cloudFrame', node },
    icon: 'crosshairs',
    when: 'cloud=message|points|file',
    hint: true,
  },
  /** Pose of the robot's flange, needed for a camera on the robot. */
  robotPose: {
    kind: 'typed',
    default: 'robot_pose',
    kinds: messageKinds,
    optional: true,
    icon: 'location-arrow',
    when: 'cloud=message|points|file & cloudFrame=robot|loadCarrier',
    hint: true,
  },
  /** A load carrier as the device detects it. */
  loadCarrier: {
    kind: 'typed',
    default: 'load_carrier',
    kinds: messageKinds,
    icon: 'archive',
    when: 'cloud=message|points|file & cloudFrame=loadCarrier',
    hint: true,
  },
  /** A box in the frame of the points; without one, all are kept, or those in the load carrier. */
  cloudRegion: {
    kind: 'typed',
    default: 'region',
    kinds: messageKinds,
    optional: true,
    icon: 'object-group',
    when: 'cloud=message|points|file',
    hint: true,
  },
  /** Edge of the cubes of which each keeps one point, mm; 0 keeps all. */
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
  /** How pictures are sent. */
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
  /** Points of lower confidence are left out, 0 to 1. */
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
  /** Most points of a cloud; empty is no limit. */
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

/** A description of these fields alone, by which they are read. */
export const pictureDescription = {
  type: 'pictures',
  icon: '',
  group: 'config',
  fields: pictureFields,
} as const satisfies NodeDescription

export type PictureFields = Omit<FieldsOf<typeof pictureDescription>, 'name'>
