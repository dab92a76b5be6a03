import { resolve } from 'node:path'
import type { NodeAPI } from 'node-red'

interface Folders {
  fileWorkingDirectory?: string
  userDir?: string
}

/** Makes a path absolute, relative to `fileWorkingDirectory` of the settings or else to Node-RED's user folder. */
export function filePlace(RED: NodeAPI, path: string): string {
  const { fileWorkingDirectory, userDir } = RED.settings as Folders
  return resolve(fileWorkingDirectory ?? userDir ?? '', path)
}
