import type { DriveSnapshot } from '../../nodes/hand-eye-calibration/drive/snapshot'
import type { Translator } from '../plc/translator'

type DriveResult = NonNullable<DriveSnapshot['result']>

/** What is known of a drive, in words and numbers. */
export function driveFacts(drive: DriveSnapshot, told: Translator): JQuery {
  const { at, seen, unseen, left, bound, doubtful, result } = drive
  const facts: [string, string][] = []
  if (result) {
    facts.push(['result', resultText(result, told)])
    const { comparison } = result
    if (comparison) facts.push(['compared', told('comparison', { ...comparison })])
  }
  if (bound) facts.push(['accuracy', told('bound', { ...bound })])
  if (seen + unseen > 0) facts.push(['looks', told('seen', { seen, unseen })])
  if (left !== undefined) facts.push(['left', String(left)])
  if (doubtful?.length) facts.push(['doubtful', doubtful.join(', ')])
  if (at !== undefined) facts.push(['at', at])
  return $('<dl class="vision-plc-facts">').append(
    facts.flatMap(([key, text]) => [$('<dt>').text(told(`fact.${key}`)), $('<dd>').text(text)]),
  )
}

/** The errors beside their limits, and whether the device uses the result. */
function resultText({ saved, ...result }: DriveResult, told: Translator): string {
  return told(saved ? 'resultSaved' : 'resultUnsaved', { result: errorsText(result, told) })
}

/** Standard deviations beside their limits. */
export const errorsText = (
  { good, errors, limits }: Pick<DriveResult, 'good' | 'errors' | 'limits'>,
  told: Translator,
): string =>
  told('errors', {
    millimetres: inShort(errors.millimetres),
    degrees: inShort(errors.degrees),
    limitMillimetres: limits.millimetres,
    limitDegrees: limits.degrees,
    judgement: told(good ? 'good' : 'bad'),
  })

const inShort = (value: number | undefined) => (value === undefined ? '?' : Number(value.toPrecision(3)))
