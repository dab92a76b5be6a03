import type { MapLine } from '../data'
import type { DefaultLine } from '../rows'
import type { IsChanged, Item, Reading, Step } from './message'

export type MessageProtocolId =
  | 's7'
  | 'opcua'
  | 'mqtt'
  | 'sparkplug'
  | 'ads'
  | 'modbus'
  | 'ethernet-ip'
  | 'any'

/** How the words of a handshake travel in the messages of other nodes: data and two functions. */
export interface MessageProtocol {
  id: MessageProtocolId
  /** Whether lines of the map have addresses, or names as these nodes know them. */
  by: 'address' | 'name'
  /** What all names of the preset begin with. */
  prefix: string
  /** A line of a family as this protocol has it, with its name after the prefix. */
  preset: (line: DefaultLine) => { name: string; line: Omit<MapLine, 'name' | 'address'> }
  /**
   * What a message of the reader says.
   * @param wanted names, or memory and address, of the map
   * @returns undefined where the message is none of the reader's
   */
  read: (message: object, wanted: readonly string[]) => Reading | undefined
  /**
   * The messages that the writer needs, results before the state that makes them valid.
   * @param items all values, in writing order
   */
  write: (items: readonly Item[], isChanged: IsChanged) => Step[]
  /** The message that makes the reader read, where it does not by itself; those that ask for something come first. */
  ask?: (wanted: readonly string[]) => object
}
