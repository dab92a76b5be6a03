/** What a person says while a robot drives itself: these do not wait. */
export const driveOrders = ['confirm', 'decline', 'pause', 'resume', 'skip', 'stop', 'reset'] as const
export type DriveOrder = (typeof driveOrders)[number]

/** Whether a message is one of these, or says that the robot of a flow has arrived. */
export const isOrder = (command: unknown): boolean =>
  typeof command === 'string' && isIn([...driveOrders, 'arrived'], command.trim().toLowerCase())

const isIn = (names: readonly string[], name: string) => names.includes(name)
