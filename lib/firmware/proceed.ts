import { isVisionError } from '../client/vision-error'
import { saveSettings } from './backup'
import type { Entry } from './journal'
import { rebootInto } from './reboot'
import { finish } from './report'
import { markInactive, rollBack } from './rollback'
import { AbortAsked, type Run } from './run'
import type { Report } from './types'
import { upload } from './upload'
import { verify } from './verify'

/** Does what remains. Each step looks at the device first. */
export async function proceed(run: Run): Promise<Report> {
  try {
    const { mode } = run.entry
    if (at(run, 'checked')) await saveSettings(run)
    if (mode === 'update' || mode === 'upload') {
      if (at(run, 'saved', 'uploading', 'uploaded')) await upload(run)
      if (mode === 'upload' && !run.abortAsked) return await finish(run, 'uploaded')
    }
    // Where a reboot was asked for, it is too late.
    if (run.abortAsked && at(run, 'saved', 'uploading', 'uploaded')) return await finish(run, 'aborted')
    run.stage = 'committed'
    return await activate(run)
  } catch (error) {
    if (error instanceof AbortAsked) return finish(run, 'aborted')
    throw error
  }
}

async function activate(run: Run): Promise<Report> {
  if (run.entry.mode === 'rollback' && at(run, 'saved', 'marking')) await markInactive(run, 'marking')
  if (at(run, 'rolling-back', 'rebooting-back')) return goBack(run)
  if (!at(run, 'booted')) {
    const situation = await rebootInto(run, 'rebooting')
    if (situation === 'old') return fellBack(run)
    if (situation !== 'new') throw await foreign(run)
    await run.note({ phase: 'booted' })
  }
  const { mode, to = '', from, onUnhealthy } = run.entry
  const health = await verify(run, to)
  const { active } = await run.look()
  if (active !== to && active === from) return fellBack(run)
  if (health.problems.length === 0)
    return finish(run, mode === 'rollback' ? 'rolled-back' : 'updated', health)
  if (active !== to || onUnhealthy === 'keep' || mode === 'rollback') return finish(run, 'unhealthy', health)
  await run.note({ problems: health.problems })
  return goBack(run)
}

/** The old version runs already; a rollback now would boot the image that could not start. */
async function fellBack(run: Run): Promise<Report> {
  await run.lookUntil(({ ready }) => ready, run.timing.boot)
  return finish(run, 'fell-back')
}

async function goBack(run: Run): Promise<Report> {
  const problems = run.entry.problems ?? []
  try {
    const situation = await rollBack(run)
    if (situation !== 'new') return await finish(run, 'unhealthy', { problems, changes: [] })
  } catch (error) {
    if (!isVisionError(error) || error.code !== 'DEVICE_FAULT') throw error
    return finish(run, 'unhealthy', { problems: [...problems, error.message], changes: [] })
  }
  const health = await verify(run, run.entry.to ?? '')
  return finish(run, 'rolled-back', { ...health, problems: [...problems, ...health.problems] })
}

async function foreign(run: Run) {
  const { active, inactive } = await run.look()
  return run.refused('firmware-foreign', { active, inactive })
}

const at = (run: Run, ...phases: Entry['phase'][]) => phases.includes(run.entry.phase)
