import { type Args, usage } from '../args.ts'
import { exitCodes } from '../exit-codes.ts'

const shells: Record<string, () => Promise<() => string>> = {
  bash: async () => (await import('../completion/bash.ts')).bashCompletion,
  zsh: async () => (await import('../completion/zsh.ts')).zshCompletion,
  fish: async () => (await import('../completion/fish.ts')).fishCompletion,
}

/** `conclave completion bash|zsh|fish` prints what the shell is to read. */
export async function completion({ words: [shell = '', ...rest] }: Args): Promise<number> {
  const load = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!load || rest.length > 0) throw usage(`conclave completion ${Object.keys(shells).join('|')}`)
  process.stdout.write((await load())())
  return exitCodes.done
}
