// The least that can do the work: one tool, no log, no sandbox, no limits. A bound for this machine, not a product.
import { execFile } from 'node:child_process'

const [prompt = ''] = process.argv.slice(2)
if (prompt.startsWith('--')) {
  console.log('floor')
  process.exit(0)
}

const command = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
const tools = [{ type: 'function', function: { name: 'bash', parameters: command } }]
const messages = [
  { role: 'system', content: 'You work in this folder.' },
  { role: 'user', content: prompt },
]

let said
do {
  said = await ask()
  messages.push(said)
  for (const { id, function: called } of said.tool_calls ?? []) {
    messages.push({
      role: 'tool',
      tool_call_id: id,
      content: await run(JSON.parse(called.arguments).command),
    })
  }
} while (said.tool_calls)
console.log(said.content)

async function ask() {
  const body = JSON.stringify({ model: 'm', stream: true, messages, tools })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${process.env.FLOOR_URL}/chat/completions`, { method: 'POST', headers, body })
  const reply = { role: 'assistant', content: '' }
  for (const line of (await response.text()).split('\n')) {
    const delta = line.startsWith('data: {') ? JSON.parse(line.slice(6)).choices[0]?.delta : undefined
    reply.content += delta?.content ?? ''
    if (delta?.tool_calls)
      reply.tool_calls = delta.tool_calls.map(({ id, type, function: called }) => ({
        id,
        type,
        function: called,
      }))
  }
  return reply
}

function run(line) {
  return new Promise((resolve) => {
    execFile('/bin/bash', ['-c', line], (_, stdout, stderr) => resolve(stdout + stderr))
  })
}
