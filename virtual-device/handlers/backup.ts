import { backup as saved, restore } from '../device/backup'
import type { Handlers } from './handler'

export const backup = {
  getBackup: saved,
  restoreBackup: (device, input) => {
    const result = restore(device, input.backup)
    device.note('INFO', `backup restored, ${result.warnings.length} warnings`)
    return result
  },
} satisfies Partial<Handlers>
