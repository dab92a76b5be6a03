/** States of the dynamics module in which inertial navigation and odometry run. */
export const navigationRuns = (dynamics: string | undefined): boolean =>
  dynamics === 'RUNNING' || dynamics === 'WAITING_FOR_SLAM' || dynamics === 'RUNNING_WITH_SLAM'
