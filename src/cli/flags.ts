/** `optional`: the value may be left out. `many`: the flag may be given several times. */
export interface Flag {
  short?: string
  value?: string
  optional?: boolean
  many?: boolean
  choices?: readonly string[]
  number?: 'whole' | 'any'
  help: string
}

export const flags = {
  print: {
    short: 'p',
    value: 'prompt',
    optional: true,
    help: 'headless: answer on stdout; piped stdin is appended to the prompt',
  },
  image: {
    short: 'i',
    value: 'file',
    many: true,
    help: 'a picture that goes with the prompt; repeatable',
  },
  config: { value: 'file', help: 'YAML config' },
  model: { short: 'm', value: 'provider/model', help: 'one agent with this model, no config needed' },
  agents: { value: 'a,b', help: 'only these agents of the config' },
  single: { value: 'id', optional: true, help: 'one agent' },
  multi: { help: 'the whole team' },
  refine: { help: 'agents refine and vote' },
  'no-refine': { help: 'agents answer once' },
  strategy: {
    value: 'name',
    choices: ['winner_reuse', 'winner_present', 'synthesize'],
    help: 'how the final answer is made',
  },
  plan: { help: 'Plan mode: look and propose, change nothing' },
  add: { value: 'text', help: 'execute-plan: further instructions for the agent' },
  'context-path': {
    value: 'path[:write]',
    many: true,
    help: 'a file or folder agents may read too, or write; repeatable',
  },
  continue: { short: 'c', help: 'go on with the latest chat of this folder' },
  resume: { short: 'r', value: 'chat', help: 'go on with this chat' },
  fork: { help: 'with -c or -r: go on in a copy' },
  at: { value: 'message|turn', help: 'with --fork: the copy ends with this exchange' },
  'output-format': { value: 'format', choices: ['text', 'json', 'stream-json'], help: 'headless output' },
  'permission-mode': {
    value: 'mode',
    choices: ['ask', 'auto-edit', 'auto', 'deny'],
    help: 'what may happen without asking',
  },
  'on-pending': {
    value: 'policy',
    choices: ['fail', 'default', 'approve'],
    help: 'how a headless run answers questions',
  },
  override: { value: 'agent', help: 'headless: present with this agent, whatever the vote' },
  'max-iterations': { value: 'n', number: 'whole', help: 'iterations of one turn (15)' },
  'max-budget-usd': { value: 'x', number: 'any', help: 'money' },
  'max-tokens': { value: 'n', number: 'whole', help: 'tokens' },
  timeout: { value: 's', number: 'any', help: 'seconds' },
  docker: { value: 'image', optional: true, help: 'run commands in Docker' },
  interactive: { help: 'start the interactive orchestrator agent' },
  verbose: { help: 'every step and observation' },
  quiet: { short: 'q', help: 'no progress' },
  'no-color': { help: 'no colours' },
  'no-alt-screen': { help: 'terminal UI: draw below the prompt instead of on a screen of its own' },
  'print-transcript': { help: 'terminal UI: leave the chat in the scrollback' },
  cd: { short: 'C', value: 'dir', help: 'work in this folder' },
  'data-dir': { value: 'dir', help: 'where chats are stored' },
  trust: { help: "this once, load the folder's own config, instructions and skills (or CONCLAVE_TRUST=1)" },
  list: { help: 'trust: show the trusted folders' },
  revoke: { help: 'trust: take it back' },
  compactions: { help: 'sessions show: what was summarised for the models, and to what' },
  turn: { value: 'turn', help: 'sessions undo: this turn instead of the last' },
  step: { value: 'call', help: 'sessions undo: this step alone' },
  output: { short: 'o', value: 'file', help: 'config import: write there instead of to stdout' },
  format: { value: 'format', choices: ['markdown', 'json'], help: 'of an export' },
  record: { help: 'keep what the models are asked and answer, for conclave replay' },
  folder: { value: 'dir', help: 'replay: run the tools in this copy of the folder' },
  fast: { help: 'replay: do not wait between the parts of a reply (default)' },
  'real-time': { help: 'replay: wait as long as the model did' },
  force: { help: 'do not ask; overwrite' },
  yes: { short: 'y', help: 'init: take the first that is found' },
  here: { help: 'init: write into this folder' },
  port: { value: 'n', number: 'whole', help: 'serve: the port (a free one)' },
  host: { value: 'address', help: 'serve: the address to listen on (127.0.0.1)' },
  'allow-remote': { help: 'serve: let other machines connect, with the token' },
  open: { help: 'serve: open the page in the browser' },
  version: { short: 'V', help: 'print the version' },
  help: { short: 'h', help: 'print this help' },
} as const satisfies Record<string, Flag>

export type FlagName = keyof typeof flags
