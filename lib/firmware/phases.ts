import type { RunFacts } from './journal'

/** One phase of a device's update. All texts are for the documentation. */
interface PhaseRow {
  /** The condition for its start. */
  needs: string
  does: string
  /** What it changes in the journal besides the phase; any poll may add `pendingSeen` and `bootSeen`. */
  writes: readonly (keyof RunFacts)[]
  /** The phase with which a later run continues if this one died in it, and what that run checks first. */
  afterDeath: { at: string; finds: string }
  /** The possible next phases; `done` ends the run with a report. */
  next: readonly string[]
  /** Whether the run can be ended for good: before the phase begins, also during it, or no longer. */
  abort: 'before' | 'within' | 'too late'
}

/**
 * A device's update, phase by phase. The phase is written to the journal before its action, so that a later run checks
 * whether the action was done. `proceed` executes the phases.
 */
export const phases = {
  checked: {
    needs: 'The device is ready, and what the mode requires: the artifact as expected, or an image to start.',
    does: 'Saves the settings of the device to a file.',
    writes: ['backup'],
    afterDeath: { at: 'checked', finds: 'Nothing was changed: saves them again.' },
    next: ['saved'],
    abort: 'before',
  },
  saved: {
    needs: 'The settings are on disk.',
    does: 'Continues as the mode says: upload, rollback or restart.',
    writes: [],
    afterDeath: { at: 'saved', finds: 'Nothing was changed.' },
    next: ['uploading', 'marking', 'rebooting'],
    abort: 'before',
  },
  uploading: {
    needs: 'The artifact, unchanged.',
    does: 'Sends it until the device shows the image, five times at most.',
    writes: ['uploads', 'allSent', 'arrived', 'mark', 'bootSeen', 'writingSince'],
    afterDeath: {
      at: 'uploading',
      finds: 'Whether the image is there. Waits for one that was sent whole; otherwise sends it again.',
    },
    next: ['uploaded'],
    abort: 'within',
  },
  uploaded: {
    needs: 'The image is on the device, and its next restart starts it.',
    does: 'Ends here if only the upload was wanted.',
    writes: [],
    afterDeath: { at: 'uploading', finds: 'Whether the image is still there.' },
    next: ['rebooting', 'done'],
    abort: 'before',
  },
  marking: {
    needs: 'The image to go back to is on the device.',
    does: 'Selects the other image for the next start.',
    writes: [],
    afterDeath: { at: 'marking', finds: 'Whether it is selected already; otherwise selects it again.' },
    next: ['rebooting'],
    abort: 'too late',
  },
  rebooting: {
    needs: 'The next restart starts the wanted image.',
    does: 'Requests the restart until the uptime proves it, three times at most.',
    writes: ['reboots', 'mark', 'bootSeen'],
    afterDeath: {
      at: 'rebooting',
      finds:
        'Whether it has restarted. Waits for a request that may still take effect; otherwise requests it again.',
    },
    next: ['booted', 'done'],
    abort: 'too late',
  },
  booted: {
    needs: 'The wanted image runs.',
    does: 'Checks whether the device works as before.',
    writes: ['problems'],
    afterDeath: { at: 'booted', finds: 'Checks again.' },
    next: ['rolling-back', 'done'],
    abort: 'too late',
  },
  'rolling-back': {
    needs: 'The new version runs with problems, and is not to be kept.',
    does: 'Selects the old image for the next start; the steps are the same with the images swapped.',
    writes: ['from', 'to', 'inactiveBefore', 'arrived', 'pendingSeen', 'mark', 'bootSeen', 'reboots'],
    afterDeath: {
      at: 'rolling-back',
      finds: 'Whether it is selected already; otherwise selects it again.',
    },
    next: ['rebooting-back', 'done'],
    abort: 'too late',
  },
  'rebooting-back': {
    needs: 'The next restart starts the old image.',
    does: 'Requests the restart as before, and checks whether the device works as before.',
    writes: ['reboots', 'mark', 'bootSeen'],
    afterDeath: { at: 'rebooting-back', finds: 'Whether it has restarted, as in `rebooting`.' },
    next: ['done'],
    abort: 'too late',
  },
} as const satisfies Record<string, PhaseRow>

/** The phases of a run that has not ended. */
export type OpenPhase = keyof typeof phases
/** The progress of a run. */
export type Phase = OpenPhase | 'done'
/** The possible next phases of a phase. */
export type NextPhase<From extends OpenPhase> = (typeof phases)[From]['next'][number]

/** Phases in which the device runs its old version and has no restart request, so that the run can be ended. */
export const isAbortable = (phase: Phase): boolean => phase !== 'done' && phases[phase].abort !== 'too late'
