import { isSingleFrame } from '../contract/reading/values'
import { VisionError } from '../client/vision-error'

/** How the depth `acquisition_mode` of a device is read and written. */
export interface ModeSteps {
  /** Reads the depth `acquisition_mode`. */
  mode: () => Promise<string>
  /** Writes it. @param isRestored whether it is put back at the end: then an abort must not stop it */
  setMode: (mode: string, isRestored: boolean) => Promise<void>
}

/** What is done around a change of the mode. */
interface ModeChange {
  /** Whether a mode that was changed is put back. */
  restoresMode: boolean
  /** Before it is changed. */
  beforeChange?: () => Promise<void>
  /** When the work has ended, well or not, before a mode is put back. */
  afterwards?: (isRestored: boolean) => Promise<void>
}

/**
 * Works in a single-frame mode, which is set where it is not set.
 * @param work told whether the mode was changed
 * @returns its result, with the reason why the mode could not be put back
 * @throws what the work or a step before it throws; never because the mode could not be put back
 */
export async function inSingleFrame<Result extends object>(
  steps: ModeSteps,
  { restoresMode, beforeChange, afterwards }: ModeChange,
  work: (isChanged: boolean) => Promise<Result>,
): Promise<Result & { modeLeft?: VisionError }> {
  let before: string | undefined
  let modeLeft: VisionError | undefined
  let result: Result
  try {
    const mode = await steps.mode()
    if (!isSingleFrame(mode)) {
      await beforeChange?.()
      before = mode
      await steps.setMode('SingleFrame', false)
    }
    result = await work(before !== undefined)
  } finally {
    const isRestored = before !== undefined && restoresMode
    await afterwards?.(isRestored)
    if (before !== undefined && isRestored)
      await steps.setMode(before, true).catch((error: unknown) => {
        if (error instanceof VisionError) modeLeft = error
      })
  }
  return modeLeft ? { ...result, modeLeft } : result
}
