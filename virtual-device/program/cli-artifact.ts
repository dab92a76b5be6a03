import { parsed } from './cli-options'
import { versionPattern, writeArtifact } from '../firmware/artifact'
import { sentence } from '../sentences'
import { StartError } from '../start-error'

const options = {
  version: { type: 'string' },
  size: { type: 'string' },
  out: { type: 'string' },
} as const

const units: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/**
 * `virtual-vision-device artifact`: writes a firmware artifact for uploading. @returns a sentence on what was written
 */
export async function makeArtifact(args: readonly string[]): Promise<string> {
  const { version = '', size = '1MiB', out = '' } = parsed(args, options)
  const bytes = bytesOf(size)
  if (!versionPattern.test(version)) throw new StartError('INVALID_OPTION', 'artifact.version')
  if (bytes === undefined) throw new StartError('INVALID_OPTION', 'artifact.size')
  if (out === '') throw new StartError('INVALID_OPTION', 'artifact.out')
  try {
    await writeArtifact(out, { version, size: bytes })
  } catch (error) {
    throw new StartError(
      'INVALID_OPTION',
      'artifact.notWritten',
      { out, reason: (error as Error).message },
      error,
    )
  }
  return sentence('artifact.written', { out, version, size })
}

/** `64MiB`, `1000` */
function bytesOf(size: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})([KMG]iB)?$/.exec(size) ?? []
  return digits === '' ? undefined : Number(digits) * (units[unit] ?? 1)
}
