import type { Progress, Step } from '../../lib/firmware/types'
import type { StatusWord } from '../shared/status'

const words: Record<Step, StatusWord> = {
  check: 'checkingFirmware',
  backup: 'savingBackup',
  upload: 'uploading',
  write: 'writingImage',
  rollback: 'rollingBack',
  reboot: 'rebooting',
  verify: 'verifying',
}

/** Shows a step as the status of the node. A device that restarts is away for a while, which is not an error. */
export const show = (
  progress: (word: StatusWord, count?: number) => void,
  { step, stepPercent, waitsFor, givesUpIn }: Progress,
) => {
  if (waitsFor === 'image') progress('waitsForImage', givesUpIn)
  else if (waitsFor === 'device' && step !== 'reboot') progress('waitsForDevice')
  else progress(words[step], step === 'upload' ? Math.floor(stepPercent) : 0)
}
