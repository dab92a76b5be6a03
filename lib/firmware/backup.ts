import { join } from 'node:path'
import { writeDurably } from '../files/write-durably'
import { firmwareError, reasonOf } from './firmware-error'
import { fileNameOf } from './journal-files'
import type { Run } from './run'

/** Saves the settings of the device to a file of its own, as the device takes them back. */
export async function saveSettings(run: Run): Promise<void> {
  const { options, entry, language } = run
  run.teller.at('backup')
  const settings = await run.patiently((signal) => run.client.getBackup({}, { signal }))
  const time = entry.startedAt.replace(/[:.]/g, '-')
  const name = `${fileNameOf(entry.serial)}_${fileNameOf(entry.from)}_${time}.json`
  const backup = join(options.backups, name)
  try {
    await writeDurably(backup, `${JSON.stringify(settings, null, 1)}\n`)
  } catch (error) {
    const values = { folder: options.backups, reason: reasonOf(error) }
    throw firmwareError('INVALID_INPUT', 'firmware-folder', values, language)
  }
  await run.note({ phase: 'saved', backup })
}
