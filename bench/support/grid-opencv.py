"""Reads pictures with the grid's pattern, one JSON object a line, and prints what OpenCV's two searches see of each: a
four by four matrix, row by row, and the milliseconds; null where a search finds nothing."""

import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)


def pose(corners, case):
    columns, rows = case["columns"] - 1, case["rows"] - 1
    across, down = case["width"] / case["columns"], case["height"] / case["rows"]
    places = np.array(
        [
            [(column + 1) * across - case["width"] / 2, (row + 1) * down - case["height"] / 2, 0]
            for row in range(rows)
            for column in range(columns)
        ]
    )
    camera = np.array([[case["focal"], 0, case["u"]], [0, case["focal"], case["v"]], [0, 0, 1]])
    solved, rotation, position = cv2.solvePnP(places, corners, camera, None)
    if not solved:
        return None
    matrix = np.eye(4)
    matrix[:3, :3] = cv2.Rodrigues(rotation)[0]
    matrix[:3, 3] = position[:, 0]
    return matrix.flatten().tolist()


def classic(picture, size):
    found, corners = cv2.findChessboardCorners(
        picture, size, flags=cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
    )
    if not found:
        return None
    end = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.001)
    return cv2.cornerSubPix(picture, corners, (5, 5), (-1, -1), end)


def sectors(picture, size):
    found, corners = cv2.findChessboardCornersSB(picture, size, flags=cv2.CALIB_CB_ACCURACY)
    return corners if found else None


for line in sys.stdin:
    case = json.loads(line)
    picture = cv2.imread(case["file"], cv2.IMREAD_GRAYSCALE)
    answer = {}
    for name, search in [("findChessboardCorners", classic), ("findChessboardCornersSB", sectors)]:
        started = time.perf_counter()
        corners = search(picture, (case["columns"] - 1, case["rows"] - 1))
        answer[name] = {
            "pose": None if corners is None else pose(corners, case),
            "ms": 1000 * (time.perf_counter() - started),
        }
    print(json.dumps(answer))
