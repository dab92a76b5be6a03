import { resolve } from 'node:path'
import type { NodeAPI } from 'node-red'

interface Folders {
  fileWorkingDirectory?: string
  userDir?: string
}

/** Makes a path absolute: from `fileWorkingDirectory` of the settings, or else from the user folder of Node-RED. */
export function filePlace(RED: NodeAPI, path: string): string {
  const { fileWorkingDirectory, userDir } = RED.settings as Folders
  return resolve(fileWorkingDirectory ?? userDir ?? '', path)
}
