import { deeds } from './deeds'
import { phases, type OpenPhase } from './phases'
import { finish } from './report'
import { AbortAsked, type Run } from './run'
import type { Report } from './types'

/** Does what remains, phase by phase. Each deed looks at the device first. @param from the phase in the journal */
export async function proceed(run: Run, from: OpenPhase): Promise<Report> {
  try {
    for (let phase: OpenPhase = phases[from].afterDeath.at; ;) {
      const { abort } = phases[phase]
      if (run.abortAsked && abort === 'before') return await finish(run, 'aborted')
      if (abort === 'too late') run.stage = 'committed'
      const next: OpenPhase | Report = await deeds[phase](run)
      if (typeof next !== 'string') return next
      phase = next
    }
  } catch (error) {
    if (error instanceof AbortAsked) return finish(run, 'aborted')
    throw error
  }
}
