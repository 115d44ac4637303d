import { BlockList, isIPv4 } from 'node:net'

/** Whether an address is not on the public internet: this machine, its networks, metadata services, reserved ranges. */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return notPublic().check(address, 'ipv4')
  // Only this block is handed out; what embeds an IPv4 address could lead anywhere.
  return !handedOut().check(address, 'ipv6') || notPublic().check(address, 'ipv6')
}

let blocked: BlockList | undefined
let open: BlockList | undefined

function handedOut(): BlockList {
  if (!open) {
    open = new BlockList()
    open.addSubnet('2000::', 3, 'ipv6')
  }
  return open
}

function notPublic(): BlockList {
  if (blocked) return blocked
  blocked = new BlockList()
  for (const [address, bits] of IPV4) blocked.addSubnet(address, bits, 'ipv4')
  for (const [address, bits] of IPV6) blocked.addSubnet(address, bits, 'ipv6')
  return blocked
}

const IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const IPV6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
