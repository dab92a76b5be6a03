/** What a robot can ask for, by the number in its request. */
export const robotActions = {
  STATUS: 1,
  TRIGGER_JOB_SYNC: 2,
  TRIGGER_JOB_ASYNC: 3,
  GET_JOB_STATUS: 4,
  GET_NEXT_POSE: 5,
  GET_RELATED_POSE: 6,
  HEC_INIT: 7,
  HEC_SET_POSE: 8,
  HEC_CALIBRATE: 9,
} as const

export type RobotAction = keyof typeof robotActions

const names = new Map<number, RobotAction>(
  Object.entries(robotActions).map(([name, number]) => [number, name as RobotAction]),
)

/** The action of a number; undefined if there is none. */
export const robotActionOf = (number: number): RobotAction | undefined => names.get(number)

/** States of a job, as data_2 of the answer to GET_JOB_STATUS. 0, UNKNOWN, is for clients only and never sent. */
export const jobStates = { INACTIVE: 1, RUNNING: 2, DONE: 3, FAILED: 4 } as const

export type JobState = keyof typeof jobStates
