import type { MessageWork } from '../shared/handle-input'
import type { StatusWord } from '../shared/status'
import type { PoseList } from './session'

/** A message as the procedure sees it, with the ways to continue besides answering. */
export interface Inbound extends Pick<MessageWork, 'tell'> {
  read: (field: 'command' | 'pose') => unknown
  /** The requested number of a pose, as given. */
  number: unknown
  /** The question that the message answers, as given. */
  request: unknown
  /** The list that the node is continuing by itself. */
  ownStep: PoseList | undefined
  /** Continues with the list after the messages that are already waiting. */
  goOn: (list: PoseList) => void
  /** The message properties that mark the answer to a move as the pose that was reached. */
  answerBy: { command: string | undefined; pose: string }
  progress: (word: StatusWord, count?: number) => void
  rest: (word?: StatusWord, count?: number) => void
}
