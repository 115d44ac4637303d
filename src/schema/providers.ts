/** Which of our clients speaks to a provider. */
export type Client = 'openai' | 'anthropic' | 'google' | 'xai' | 'chat' | 'acp' | 'scripted' | 'rehearsal'

/** What is known of a provider ahead of any config. A config's own values come first. */
export interface Provider {
  client: Client
  base_url?: string
  /** Variables that may name another address, and what is added to it where it is missing. */
  base_url_env?: { name: string; path: string }
  /** Variables that may hold the key; the first that is set counts. */
  key_env?: readonly string[]
  /** Runs on the user's own machine: needs no key and costs nothing. */
  local?: true
  /** For a start without a config, and for `conclave init`. */
  default_model?: string
  /** `acp`: the command to start. */
  command?: readonly string[]
}

const table = {
  anthropic: {
    client: 'anthropic',
    base_url: 'https://api.anthropic.com/v1',
    base_url_env: { name: 'ANTHROPIC_BASE_URL', path: '/v1' },
    key_env: ['ANTHROPIC_API_KEY'],
    default_model: 'claude-sonnet-5-5',
  },
  openai: {
    client: 'openai',
    base_url: 'https://api.openai.com/v1',
    base_url_env: { name: 'OPENAI_BASE_URL', path: '' },
    key_env: ['OPENAI_API_KEY'],
    default_model: 'gpt-6.1-sol',
  },
  gemini: {
    client: 'google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    key_env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    default_model: 'gemini-3.8-flash',
  },
  xai: {
    client: 'xai',
    base_url: 'https://api.x.ai/v1',
    key_env: ['XAI_API_KEY'],
    default_model: 'grok-4.7',
  },
  openrouter: {
    client: 'chat',
    base_url: 'https://openrouter.ai/api/v1',
    key_env: ['OPENROUTER_API_KEY'],
    default_model: 'openrouter/auto',
  },
  azure_openai: {
    client: 'openai',
    base_url_env: { name: 'AZURE_OPENAI_ENDPOINT', path: '/openai/v1' },
    key_env: ['AZURE_OPENAI_API_KEY'],
  },
  openai_compatible: { client: 'chat', base_url_env: { name: 'OPENAI_BASE_URL', path: '' } },
  ollama: { client: 'chat', base_url: 'http://127.0.0.1:11434/v1', local: true },
  lmstudio: { client: 'chat', base_url: 'http://127.0.0.1:1234/v1', local: true },
  llamacpp: { client: 'chat', base_url: 'http://127.0.0.1:8080/v1', local: true },
  vllm: { client: 'chat', base_url: 'http://127.0.0.1:8000/v1', local: true },
  sglang: { client: 'chat', base_url: 'http://127.0.0.1:30000/v1', local: true },
  groq: { client: 'chat', base_url: 'https://api.groq.com/openai/v1', key_env: ['GROQ_API_KEY'] },
  together: { client: 'chat', base_url: 'https://api.together.xyz/v1', key_env: ['TOGETHER_API_KEY'] },
  fireworks: {
    client: 'chat',
    base_url: 'https://api.fireworks.ai/inference/v1',
    key_env: ['FIREWORKS_API_KEY'],
  },
  cerebras: { client: 'chat', base_url: 'https://api.cerebras.ai/v1', key_env: ['CEREBRAS_API_KEY'] },
  deepseek: { client: 'chat', base_url: 'https://api.deepseek.com/v1', key_env: ['DEEPSEEK_API_KEY'] },
  mistral: { client: 'chat', base_url: 'https://api.mistral.ai/v1', key_env: ['MISTRAL_API_KEY'] },
  nebius: { client: 'chat', base_url: 'https://api.studio.nebius.ai/v1', key_env: ['NEBIUS_API_KEY'] },
  moonshot: {
    client: 'chat',
    base_url: 'https://api.moonshot.ai/v1',
    key_env: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'],
  },
  qwen: {
    client: 'chat',
    base_url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    key_env: ['QWEN_API_KEY', 'DASHSCOPE_API_KEY'],
  },
  zai: { client: 'chat', base_url: 'https://api.z.ai/api/paas/v4', key_env: ['ZAI_API_KEY'] },
  poe: { client: 'chat', base_url: 'https://api.poe.com/v1', key_env: ['POE_API_KEY'] },
  acp: { client: 'acp' },
  claude_code: { client: 'acp', command: ['claude-code-acp'] },
  codex: { client: 'acp', command: ['codex-acp'] },
  gemini_cli: { client: 'acp', command: ['gemini', '--experimental-acp'] },
  scripted: { client: 'scripted' },
  rehearsal: { client: 'rehearsal' },
} as const satisfies Record<string, Provider>

export type ProviderName = keyof typeof table

/** Every backend type of a config and every first half of `-m provider/model`, the ones to choose from first. */
export const providers: Record<ProviderName, Provider> = table

export const providerNames = Object.keys(table) as ProviderName[]

/** Other names for the same, among them those that MassGen's users know. */
export const providerAliases: Record<string, ProviderName> = {
  claude: 'anthropic',
  grok: 'xai',
  google: 'gemini',
  chatcompletion: 'openai_compatible',
  azure: 'azure_openai',
  kimi: 'moonshot',
  'llama.cpp': 'llamacpp',
}
