/** The calibration of the camera itself, for results that are valid only as long as it is. */
export function cameraCalibration() {
  const dependents: (() => void)[] = []
  return {
    /** @param invalid called when the camera has been recalibrated */
    onRenewed: (invalid: () => void) => void dependents.push(invalid),
    renewed: () => {
      for (const invalid of dependents) invalid()
    },
  }
}
