import type { MessageWork } from '../shared/handle-input'
import type { StatusWord } from '../shared/status-word'
import type { PoseList } from './session'

/** A message as the procedure sees it, and what may be done with it besides answering. */
export interface Inbound extends Pick<MessageWork, 'tell'> {
  read: (field: 'command' | 'pose') => unknown
  /** The number that a pose has or shall have, as given. */
  number: unknown
  /** The list with which the node goes on by itself. */
  ownStep: PoseList | undefined
  /** Goes on with the list once the messages that wait already have had their turn. */
  goOn: (list: PoseList) => void
  /** The message properties by which the answer to a move is taken for the pose that was reached. */
  answerBy: { command: string | undefined; pose: string }
  progress: (word: StatusWord, count?: number) => void
  rest: (word?: StatusWord, count?: number) => void
}
