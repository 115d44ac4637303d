/**
 * A kernel filter for what mounts and namespaces do not stop: sockets in the file system, of which a read-only mount is
 * no hindrance, sockets to a virtual machine's host, and the kernel's own store of keys. Nothing where the processor is
 * not known.
 */
export function seccompFilter(options: { unixSockets: boolean }): Buffer | undefined {
  const machine = machines[process.arch]
  if (!machine) return undefined
  const domains = [...(options.unixSockets ? [AF_UNIX] : []), AF_INET, AF_INET6, AF_NETLINK]
  const body: Step[] = [
    { load: ARCHITECTURE },
    { unless: machine.architecture, goto: 'refuse' },
    { load: NUMBER },
    // The 32-bit pointer variant of x86-64 has numbers of its own for the same calls.
    { from: 0x4000_0000, goto: 'refuse' },
    ...machine.refused.map((number): Step => ({ is: number, goto: 'refuse' })),
    { unless: machine.socket, goto: 'allow' },
    { load: FIRST_ARGUMENT },
    ...domains.map((domain): Step => ({ is: domain, goto: 'allow' })),
  ]
  const refuse = body.length
  const targets = { refuse, allow: refuse + 1 }
  const instructions = body.map((step, at) => encode(step, (goto) => targets[goto] - at - 1))
  return Buffer.concat([
    ...instructions,
    instruction(RETURN, 0, 0, FAIL | EPERM),
    instruction(RETURN, 0, 0, ALLOW),
  ])
}

type Target = 'refuse' | 'allow'
type Step =
  | { load: number }
  | { is: number; goto: Target }
  | { unless: number; goto: Target }
  | { from: number; goto: Target }

interface Machine {
  architecture: number
  socket: number
  /** io_uring_setup, which makes sockets past this filter, and add_key, request_key, keyctl. */
  refused: number[]
}

const machines: Record<string, Machine | undefined> = {
  x64: { architecture: 0xc000_003e, socket: 41, refused: [425, 248, 249, 250] },
  arm64: { architecture: 0xc000_00b7, socket: 198, refused: [425, 217, 218, 219] },
}

const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16]
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16]
const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06]
const [ALLOW, FAIL, EPERM] = [0x7fff_0000, 0x0005_0000, 1]

function encode(step: Step, distance: (goto: Target) => number): Buffer {
  if ('load' in step) return instruction(LOAD, 0, 0, step.load)
  if ('is' in step) return instruction(EQUAL, distance(step.goto), 0, step.is)
  if ('unless' in step) return instruction(EQUAL, 0, distance(step.goto), step.unless)
  return instruction(AT_LEAST, distance(step.goto), 0, step.from)
}

function instruction(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
