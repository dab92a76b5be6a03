/** What a person says while a robot drives itself: these do not wait. */
export const driveOrders = ['confirm', 'decline', 'pause', 'resume', 'skip', 'stop', 'reset'] as const
export type DriveOrder = (typeof driveOrders)[number]

/** Whether a message is one of these, or says that the robot of a flow has arrived. @param command as `commandWord` reads it */
export const isOrder = (command: string): boolean =>
  command === 'arrived' || driveOrders.some((order) => order === command)
