import type { Node, NodeAPI } from 'node-red'
import { environmentText } from './environment-text'
import { filePlace } from './file-place'

/** The comma-separated folders of a setting, as absolute paths. */
export const allowedFolders = (RED: NodeAPI, node: Node, folders: string): string[] =>
  environmentText(RED, node, 'folders', folders)
    .split(',')
    .map((folder) => folder.trim())
    .filter(Boolean)
    .map((folder) => filePlace(RED, folder))
