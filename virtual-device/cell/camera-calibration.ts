/** The calibration of the camera itself, for those whose results hold only as long as it does. */
export function cameraCalibration() {
  const dependents: (() => void)[] = []
  return {
    /** @param invalid called when the camera was calibrated anew */
    onRenewed: (invalid: () => void) => void dependents.push(invalid),
    renewed: () => {
      for (const invalid of dependents) invalid()
    },
  }
}
