import { commandEcho } from './command-echo'
import { controlWords } from './control-words'
import { exeBusyFlg } from './exe-busy-flg'
import type { Family, FamilyId } from './family'
import { fourPhases } from './four-phases'
import { sequence } from './sequence'

export { familyIds, type CommandDeed, type Family, type FamilyId } from './family'

/** Presets of the one state machine, the recommended one first. */
export const families: Readonly<Record<FamilyId, Family>> = {
  sequence,
  'four-phases': fourPhases,
  'control-words': controlWords,
  'exe-busy-flg': exeBusyFlg,
  'command-echo': commandEcho,
}
