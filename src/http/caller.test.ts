import { expect, test } from 'vitest'
import { callerNetwork } from './caller.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7%1', '192.0.2.7'],
  ['203.0.113.5:1234', '203.0.113.5'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['[fe80::1%eth0]:443', 'fe80:0:0:0::/64'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['unknown', 'unknown'],
  ['', ''],
  [undefined, ''],
])('a caller at "%s" is counted as "%s"', (address, network) => {
  expect(callerNetwork(address)).toBe(network)
})

test('another address of the same line is the same caller, and another line is another caller', () => {
  expect(callerNetwork('2001:db8:1:2:dead:beef:0:1')).toBe(callerNetwork('2001:db8:1:2::9'))
  expect(callerNetwork('2001:db8:1:3::9')).not.toBe(callerNetwork('2001:db8:1:2::9'))
})
