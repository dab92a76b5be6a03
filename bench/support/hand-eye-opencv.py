"""Hand-eye calibration by OpenCV. Reads sets as JSON from standard input, one a line, and answers each with the camera
poses that its methods find: 4x4 matrices row by row, or null where a method fails."""
import json
import sys

import cv2
import numpy as np

hand_eye = {
    "Tsai": cv2.CALIB_HAND_EYE_TSAI,
    "Park": cv2.CALIB_HAND_EYE_PARK,
    "Horaud": cv2.CALIB_HAND_EYE_HORAUD,
    "Andreff": cv2.CALIB_HAND_EYE_ANDREFF,
    "Daniilidis": cv2.CALIB_HAND_EYE_DANIILIDIS,
}
robot_world = {
    "Shah": cv2.CALIB_ROBOT_WORLD_HAND_EYE_SHAH,
    "Li": cv2.CALIB_ROBOT_WORLD_HAND_EYE_LI,
}


def matrix(rotation, translation):
    result = np.eye(4)
    result[:3, :3] = rotation
    result[:3, 3] = np.ravel(translation)
    return result


def parts(matrices):
    return [m[:3, :3] for m in matrices], [m[:3, 3] for m in matrices]


def answer(call):
    try:
        found = call()
        return found.ravel().tolist() if np.all(np.isfinite(found)) else None
    except cv2.error:
        return None


def solve(given):
    # "arm" is the hand in the external frame, or the other way round where the camera is fixed.
    arms = [np.array(m).reshape(4, 4) for m in given["arms"]]
    seen = [np.array(m).reshape(4, 4) for m in given["seen"]]
    arm, grid = parts(arms), parts(seen)
    back = parts([np.linalg.inv(m) for m in arms])

    def by_pairs(method):
        return matrix(*cv2.calibrateHandEye(*arm, *grid, method=method))

    def by_loops(method):
        _, _, rotation, translation = cv2.calibrateRobotWorldHandEye(*grid, *back, method=method)
        return np.linalg.inv(matrix(rotation, translation))

    found = {name: answer(lambda: by_pairs(method)) for name, method in hand_eye.items()}
    found.update({name: answer(lambda: by_loops(method)) for name, method in robot_world.items()})
    return found


for line in sys.stdin:
    print(json.dumps(solve(json.loads(line))))
