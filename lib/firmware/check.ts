import { artifactOf } from './artifact'
import { newEntry, type JournalEntry } from './journal'
import type { DeviceLook } from './look'
import type { Run } from './run'
import { takeSnapshot } from './snapshot'
import type { Choices } from './types'

/**
 * Checks whether the device can be updated now, and begins the journal. Changes nothing on the device.
 * @throws VisionError `REFUSED` if it must not be updated, `INVALID_INPUT` for the artifact
 */
export async function check(run: Run, look: DeviceLook, choices: Choices): Promise<JournalEntry> {
  const { client, options } = run
  const { mode } = choices
  if (!look.ready) throw run.error('STARTING', 'firmware-not-ready', {})
  if (mode === 'activate') {
    if (!look.pending) throw run.refused('firmware-nothing-pending', { active: look.active })
    const { version } = choices.expected
    if (version !== undefined && look.inactive !== version)
      throw run.refused('firmware-other-pending', { inactive: look.inactive, version })
  } else if (look.pending) throw run.refused('firmware-pending', { inactive: look.inactive })
  if (look.fallback && !choices.allowFallback)
    throw run.refused('firmware-fallback', { active: look.active, inactive: look.inactive })

  const before = await takeSnapshot(client, run.ask)
  const { artifact } = run
  return newEntry({
    ...choices,
    serial: look.serial,
    device: client.address,
    ...(options.owner !== undefined && { owner: options.owner }),
    ...(options.job !== undefined && { job: options.job }),
    from: look.active,
    inactiveBefore: look.inactive,
    before,
    ...targetOfMode(choices, look),
    ...(artifact && {
      artifact: {
        ...(artifact.file !== undefined && { file: artifact.file }),
        size: artifact.size,
        sha256: artifact.sha256,
      },
    }),
  })
}

/** The version that will run in the end, if it is already known. */
function targetOfMode({ mode, expected: { version } }: Choices, look: DeviceLook): Partial<JournalEntry> {
  if (mode === 'activate' || mode === 'rollback') return { to: look.inactive, arrived: true }
  return version === undefined ? {} : { to: version }
}

/** Reads the artifact, if the mode requires one. @throws VisionError `INVALID_INPUT` */
export async function readArtifact(run: Run, { mode, expected }: Choices): Promise<void> {
  const { source, allowedFolders } = run.options
  if (mode === 'activate' || mode === 'rollback') return
  if (source === undefined) {
    if (mode === 'check') return
    throw run.error('INVALID_INPUT', 'firmware-no-artifact', {})
  }
  const { language, signal } = run
  const onRead = (share: number) => run.teller.at('check', share)
  run.artifact = await artifactOf(source, { expected, allowedFolders, language, signal, onRead })
}
