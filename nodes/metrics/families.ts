import type { Families } from '../../lib/metrics'

/** Upper bounds in seconds: a read in the cell's network, a slow answer, a detection, a long service. */
const callSeconds = [0.01, 0.05, 0.25, 1, 5]
const reactionSeconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1]
const cycleSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** All metrics, in the order in which they are written. */
export const families = {
  vision_build_info: {
    type: 'gauge',
    help: 'Versions of this Node-RED.',
    labels: ['version', 'node_red', 'node_js'],
  },
  vision_device_up: {
    type: 'gauge',
    help: 'Whether the device is ready (1) or not (0); missing if no node uses the device.',
  },
  vision_device_state: {
    type: 'gauge',
    help: 'State of the link as a label; the value is always 1.',
    labels: ['state'],
  },
  vision_device_info: {
    type: 'gauge',
    help: 'What the device says about itself; the value is always 1.',
    labels: ['address', 'firmware', 'hostname', 'model', 'serial'],
  },
  vision_device_last_answer_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the last answered health check.',
  },
  vision_device_uptime_seconds: {
    type: 'gauge',
    help: 'Uptime of the device at the last answered health check.',
  },
  vision_device_firmware_fallback: {
    type: 'gauge',
    help: 'Whether the device runs its older firmware because the newer one could not start.',
  },
  vision_health_checks_total: {
    type: 'counter',
    help: 'Health checks by outcome: ok or failed.',
    labels: ['outcome'],
  },
  vision_temperature_celsius: {
    type: 'gauge',
    help: 'Status values of the device that are temperatures, as last read.',
    labels: ['pipeline', 'node', 'value'],
  },
  vision_status_value: {
    type: 'gauge',
    help: 'Other numeric status values of the device, in the unit of the device, as last read.',
    labels: ['pipeline', 'node', 'value'],
  },
  vision_calls_total: {
    type: 'counter',
    help: 'Calls by operation and outcome: ok or an error code; the operation other is all beyond the first ten.',
    labels: ['operation', 'outcome'],
  },
  vision_calls_failed_total: {
    type: 'counter',
    help: 'Failed calls of all operations; from 0, so that the first one is seen.',
  },
  vision_call_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls, including the wait for their turn and repetitions.',
    buckets: callSeconds,
  },
  vision_stream_messages_total: {
    type: 'counter',
    help: 'Received messages of a data stream.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_lost_total: {
    type: 'counter',
    help: 'Lost messages of a data stream.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_rate_hertz: {
    type: 'gauge',
    help: 'Messages per second over the last two seconds.',
    labels: ['stream', 'receiver'],
  },
  vision_stream_jitter_seconds: {
    type: 'gauge',
    help: 'Mean deviation of the arrival times from the timestamps.',
    labels: ['stream', 'receiver'],
  },
  vision_log_entries_total: {
    type: 'counter',
    help: 'Log entries that log-watch nodes have sent, by level.',
    labels: ['level'],
  },
  vision_log_gaps_total: {
    type: 'counter',
    help: 'Times that log entries may be missing.',
  },
  vision_log_records_lost_total: {
    type: 'counter',
    help: 'Log records that a collector does not get: buffer full, refused by it, or not written to disk.',
    labels: ['reason'],
  },
  vision_firmware_update_running: {
    type: 'gauge',
    help: 'Running firmware updates by phase.',
    labels: ['phase'],
  },
  vision_firmware_updates_total: {
    type: 'counter',
    help: 'Ended firmware updates by outcome; failed if there is no report.',
    labels: ['outcome'],
  },
  vision_handshake_up: {
    type: 'gauge',
    help: 'Whether the PLC is connected (1) or not (0); missing if no trigger node uses the handshake.',
  },
  vision_handshake_triggers_total: {
    type: 'counter',
    help: 'Triggers that were passed to the flow.',
  },
  vision_handshake_missed_total: {
    type: 'counter',
    help: 'Triggers that came while the cell was busy or not ready.',
  },
  vision_handshake_dropped_total: {
    type: 'counter',
    help: 'Answers of the flow that the PLC did not get: late, second or foreign ones.',
  },
  vision_handshake_cycles_total: {
    type: 'counter',
    help: 'Ended cycles by the code that the PLC got.',
    labels: ['code'],
  },
  vision_handshake_reaction_seconds: {
    type: 'histogram',
    help: 'Time from the trigger to the message to the flow.',
    buckets: reactionSeconds,
  },
  vision_handshake_cycle_seconds: {
    type: 'histogram',
    help: 'Time from the message to the flow to the answer.',
    buckets: cycleSeconds,
  },
  vision_fleet_cells: {
    type: 'gauge',
    help: 'Cells that a centre knows, by whether they are seen: yes or no.',
    labels: ['seen'],
  },
  vision_fleet_devices_with_problem: {
    type: 'gauge',
    help: 'Devices of a fleet with a problem.',
  },
  vision_fleet_rollouts: {
    type: 'gauge',
    help: 'Open rollouts by state: running, paused, waits-for-approval or stopping.',
    labels: ['state'],
  },
  vision_series_limit_reached: {
    type: 'gauge',
    help: 'Whether series were left out because there were 50 already.',
  },
} as const satisfies Families

export type MetricName = keyof typeof families
