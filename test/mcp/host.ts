// Connects six stubborn servers and stays: `node host.ts <tether> <folder> <NAME=value for their environment>`.
import { join } from 'node:path'
import { connectServers } from '../../src/adapters/mcp/connect.ts'
import type { Tether } from '../../src/adapters/mcp/server-process.ts'

const [tether = 'none', folder = '', mark = ''] = process.argv.slice(2)
const [name = '', value = ''] = mark.split('=')
const server = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'hostile-server.mjs'), 'stubborn'],
  env: { [name]: value },
  read_only_tools: [],
  enabled: true,
}
const { servers, problems } = await connectServers(
  Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, server])),
  {
    folder,
    base: folder,
    trusted: false,
    pins: join(folder, 'pins'),
    version: '0',
    environment: process.env,
    tether: tether as Tether,
  },
)
const tools = servers.reduce((sum, { tools }) => sum + tools.length, 0)
console.log(`${tools} tools, ${problems.length} problems`)
setInterval(() => {}, 1_000)
