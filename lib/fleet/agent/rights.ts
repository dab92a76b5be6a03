import { readingKinds, type Command, type CommandKind } from '../messages'

/** What commands may do in a cell, besides reading. */
export interface Rights {
  /** Kinds that are allowed as a whole. */
  kinds: ReadonlySet<CommandKind>
  /** Services that may be called, `dev_camera/acquisition_trigger`. */
  services: readonly string[]
  /** Flows that may be run. */
  flows: readonly string[]
}

/** The service that a command calls, `node/service`. */
export const serviceOf = ({ args }: Command): string => `${textOf(args['node'])}/${textOf(args['service'])}`

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Whether a cell allows a command. To end what was allowed to begin is allowed too. */
export function isAllowed(command: Command, { kinds, services, flows }: Rights): boolean {
  switch (command.do) {
    case 'call-service':
      return services.includes(serviceOf(command))
    case 'run-flow':
      return flows.includes(textOf(command.args['flow']))
    case 'abort':
      return true
    default:
      return readingKinds.has(command.do) || kinds.has(command.do)
  }
}

/** The rights as the state of a cell tells them. */
export const rightsAsTexts = ({ kinds, services }: Rights): string[] => [
  ...readingKinds,
  ...kinds,
  ...services.map((service) => `call-service ${service}`),
]
