import type { VisionError } from '../client/vision-error'
import { artifactOf, isUnchanged } from './artifact'
import type { JournalEntry } from './journal'
import { readDeviceState, type DeviceState, type Run, hasBooted } from './run'
import { check, orUndefined, Scope } from '../kernel/scope'
import { sleep } from '../kernel/timers'

/** Key of the error of a resumed run that no longer has its bytes. */
export const artifactGone = 'firmware-artifact-gone'

/** Most uploads of one run. */
const mostUploads = 5

/**
 * Brings the image onto the device. Checks first: after an interruption it may already be there, and a second upload is
 * made only if the first cannot have arrived.
 * @throws VisionError
 */
export async function upload(run: Run): Promise<void> {
  let failure: VisionError | undefined
  for (;;) {
    // What is already in transit is awaited, so that the report can say what the next restart boots.
    if (run.abortAsked && !run.entry.allSent) return
    const { state, situation } = await run.situation()
    if (situation === 'foreign') throw unexpected(run, state)
    if (situation !== 'untouched') {
      await run.note({ phase: 'uploaded', arrived: true })
      return
    }
    const isDone = run.entry.phase === 'uploaded'
    if (!isDone && (await mayStillAppear(run, state))) continue
    if (run.abortAsked) return
    if (isDone) throw run.refused('firmware-not-shown', { inactive: state.inactive })
    if (run.entry.uploads >= mostUploads && failure) throw failure
    failure = await send(run)
    if (failure) await run.pause()
  }
}

/** The image that arrived is not the expected one, or another client changed the image. */
function unexpected(run: Run, { active, inactive, pending }: DeviceState): VisionError {
  const { from, to: version } = run.entry
  return pending && active === from
    ? run.refused('firmware-other-version', { inactive, version })
    : run.refused('firmware-foreign', { active, inactive })
}

/**
 * After the last byte the device needs time to write the image, even without a connection. Its own uptime shows how
 * much of that time has passed, so that the wait continues where another run began it.
 */
async function mayStillAppear(run: Run, state: DeviceState): Promise<boolean> {
  if (!run.entry.allSent || hasBooted(run.entry, state)) return false
  run.stage = 'writing'
  await noteWriting(run, state)
  const last = await run.pollUntil((now) => {
    const left = writingLeft(run, now)
    run.progress.waitsForImage(Math.max(0, left))
    return writingIsOver(run.entry, now) || left <= 0
  }, run.timing.write)
  run.stage = 'free'
  await run.note({ allSent: false })
  return writingIsOver(run.entry, last.state)
}

/** The device is writing from the first poll after the last byte. */
async function noteWriting(run: Run, { mark }: DeviceState): Promise<void> {
  if (run.entry.writingSince === undefined) await run.note({ writingSince: mark.uptime })
}

/** Seconds that the device may still take to show the image. */
const writingLeft = ({ timing, entry }: Run, { mark: { uptime } }: DeviceState): number =>
  timing.write - (uptime - (entry.writingSince ?? uptime))

/** The image is there, or the device was restarted and will no longer write it. */
const writingIsOver = (entry: JournalEntry, now: DeviceState): boolean =>
  now.pending || now.inactive !== entry.inactiveBefore || hasBooted(entry, now)

/**
 * Resolves when no answer can come any more, as after a power failure: the device's state shows the outcome. Also when
 * the time for the image is over, after which the upload is no longer awaited.
 * @throws as soon as the upload ends
 */
async function leftUnanswered(run: Run, upload: AbortSignal): Promise<void> {
  const { client, timing } = run
  const handedOver = performance.now()
  for (let shown = 0; shown < pollsBeforeGivingUp;) {
    await sleep(1000 * timing.poll, upload)
    // Without retries or progress messages: the upload itself reports problems with the connection.
    const state = await orUndefined(readDeviceState(client, { signal: upload }))
    // The upload may have ended in the meantime, and the journal be further on.
    check(upload)
    if (state) await noteWriting(run, state)
    const left = state ? writingLeft(run, state) : timing.write - (performance.now() - handedOver) / 1000
    if (left <= 0) return
    shown = state && writingIsOver(run.entry, state) ? shown + 1 : 0
    if (shown === 0 && timing.write - left > usualWriting) run.progress.waitsForImage(left)
  }
}

/** Seconds after the last byte before the wait for the image is reported. */
const usualWriting = 10

/** The answer usually arrives when the image shows, so the device is asked more than once. */
const pollsBeforeGivingUp = 3

/**
 * Sends the artifact once. @returns the failure after which its arrival is unknown, or before which nothing was sent
 */
async function send(run: Run): Promise<VisionError | undefined> {
  const { client, timing, entry } = run
  const artifact = await unchangedArtifact(run)
  const { state } = await run.pollUntil(({ ready }) => ready, timing.boot)
  const attempt = entry.uploads + 1
  await run.note({
    phase: 'uploading',
    uploads: attempt,
    allSent: false,
    mark: state.mark,
    bootSeen: false,
    writingSince: undefined,
  })

  const ending = new AbortController()
  // A wait that fails leaves the end to the upload itself.
  const scope = new Scope({ failed: () => scope.abort() })
  run.abortStep = () => ending.abort()
  run.progress.sent(0, artifact.size, attempt)
  if (run.abortAsked) return undefined
  try {
    await client.uploadFirmware(
      { file: artifact.source },
      {
        signal: AbortSignal.any([run.signal, ending.signal]),
        deadline: 1000 * (timing.upload + timing.write),
        stall: 1000 * timing.stall,
        onProgress: async ({ sent, total }) => {
          run.progress.sent(sent, total, attempt)
          if (sent < total) return
          // The end of the body waits for this: only now may the device have the whole image.
          run.abortStep = undefined
          run.stage = 'writing'
          await run.note({ allSent: true })
          run.progress.at('write')
          const signal = AbortSignal.any([run.signal, ending.signal, scope.signal])
          scope.begin(async () => {
            await leftUnanswered(run, signal)
            ending.abort()
          })
        },
      },
    )
    await run.note({ phase: 'uploaded', arrived: true })
    return undefined
  } catch (error) {
    return await afterFailure(run, error as VisionError)
  } finally {
    await scope.close()
    run.abortStep = undefined
    run.stage = 'free'
  }
}

/** @throws VisionError if the device refused, or the run was stopped */
async function afterFailure(run: Run, error: VisionError): Promise<VisionError | undefined> {
  if (run.signal.aborted) throw run.stopped()
  if (error.code === 'ABORTED') return run.abortAsked ? undefined : error
  if (['OUTCOME_UNKNOWN', 'UNREACHABLE', 'TIMEOUT', 'STARTING', 'RATE_LIMITED'].includes(error.code))
    return error
  // A device that was restarted meanwhile refuses for reasons other than the artifact.
  if (hasBooted(run.entry, await run.poll())) return error
  throw error
}

/** The artifact as it was checked; a resumed run reads it again. @throws VisionError `INVALID_INPUT` */
async function unchangedArtifact(run: Run) {
  const { entry, options, language, signal } = run
  if (run.artifact && (await isUnchanged(run.artifact))) return run.artifact
  const source = run.artifact?.file ?? options.source ?? entry.artifact?.file
  if (source === undefined) throw run.error('INVALID_INPUT', artifactGone, { active: entry.from })
  const { allowedFolders } = options
  const expected = entry.artifact && { size: entry.artifact.size, sha256: entry.artifact.sha256 }
  return (run.artifact = await artifactOf(source, { expected, allowedFolders, language, signal }))
}
