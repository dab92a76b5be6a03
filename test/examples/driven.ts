import { eventually } from '../support/eventually'
import type { RunningExample } from '../support/example'
import { hasRead } from '../support/reading'

/** Milliseconds: pictures are drawn slowly on a busy machine. */
export const patience = 240_000

/** Buttons of an example in which a robot drives itself. */
interface DriveButtons {
  begin: string
  confirm: string
  /** On a busy computer the enable signal may come too late, and the robot brakes: then a person goes on by these. */
  goOn?: { reset: string; again: string }
  /** What is looked at before each answer. */
  asks?: () => Promise<void>
}

/**
 * Answers each question of a robot that drives itself once, as a person does, until the text has been printed. A question that
 * has this text is not answered.
 */
export async function confirmed(
  { output, press, follows }: Pick<RunningExample, 'output' | 'press' | 'follows'>,
  { begin, confirm, goOn, asks, until }: DriveButtons & { until: RegExp },
): Promise<string> {
  const from = output().length
  const printed = () => output().slice(from)
  const asked = () => [
    ...printed().matchAll(/asks and sees\] .*(?:Confirm (?:only if|when)|(send a reset)\.)/g),
  ]
  if (begin === confirm) await hasRead()
  await press(begin)
  let answered = 0
  await eventually(async () => {
    if (until.test(printed())) return
    const questions = asked()
    if (questions.length > answered) {
      answered = questions.length
      await asks?.()
      if (goOn && questions.at(-1)?.[1]) {
        await follows(goOn.reset, /asks and sees\] Reset\./)
        await press(goOn.again)
      } else {
        await hasRead()
        await press(confirm)
      }
    }
    throw new Error(`not ${String(until)} in\n${printed()}`)
  }, patience)
  return printed()
}
