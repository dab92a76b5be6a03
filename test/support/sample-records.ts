/** Accepted by a device. */
export const networkSettings = {
  dhcp_enabled: true,
  persistent_ip_enabled: false,
  persistent_ip_address: '192.168.0.10',
  persistent_subnet_mask: '255.255.255.0',
  persistent_default_gateway: '',
}

/** May be triggered by a robot. */
export const robotCalibration = {
  grid_height: 0.18,
  grid_width: 0.26,
  robot_mounted: true,
  tcp_offset: 0,
  tcp_rotation_axis: -1,
}
