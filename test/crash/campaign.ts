import { type KillPlan, crashAndResume } from './crash-run.ts'
import { ProgramCopy } from './program-copy.ts'
import { type Random, seededRandom } from './random.ts'
import { verifyRun } from './verify-run.ts'
import { PROMPT, Workspace } from './workspace.ts'

export interface Campaign {
  kills: number
  runs: number
  acknowledged: number
  lost: number
  /** Calls that a kill caught while they could change something. */
  interrupted: number
  repeated: number
  unfinished: number
  seconds: number
  problems: string[]
}

const SIDE_BY_SIDE = 2

/**
 * Runs scripted turns in the built program and kills them at random moments, `kills` times in all. Which moments is
 * decided by the seed; where the program is then also depends on the machine.
 */
export async function runCampaign(options: { kills: number; seed: number }): Promise<Campaign> {
  const began = performance.now()
  const total: Campaign = {
    ...{
      kills: 0,
      runs: 0,
      acknowledged: 0,
      lost: 0,
      interrupted: 0,
      repeated: 0,
      unfinished: 0,
      seconds: 0,
    },
    problems: [],
  }
  const program = new ProgramCopy()
  try {
    const kills = new Kills(options, await measure(program))
    const worker = async () => {
      while (kills.left > 0) await crashOnce(program, kills, total)
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  } finally {
    program.remove()
  }
  total.seconds = (performance.now() - began) / 1000
  return total
}

class Kills implements KillPlan {
  left: number
  readonly #random: Random
  readonly #duration: number

  constructor({ kills, seed }: { kills: number; seed: number }, duration: number) {
    this.left = kills
    this.#random = seededRandom(seed)
    this.#duration = duration
  }

  next(): number | undefined {
    if (this.left === 0) return undefined
    this.left -= 1
    return this.#random.next(this.#duration)
  }

  missed(): void {
    this.left += 1
  }
}

async function crashOnce(program: ProgramCopy, kills: KillPlan, total: Campaign): Promise<void> {
  const workspace = new Workspace()
  try {
    const run = await crashAndResume(program, workspace, kills)
    const { lost, interrupted, repeated, problems } = await verifyRun(program, workspace, run)
    total.kills += run.kills
    total.runs += 1
    total.acknowledged += run.acknowledged.length
    total.lost += lost
    total.interrupted += interrupted
    total.repeated += repeated
    total.unfinished += run.finished ? 0 : 1
    total.problems.push(...problems)
  } finally {
    workspace.remove()
  }
}

/** How long an undisturbed turn takes here, in milliseconds. */
async function measure(program: ProgramCopy): Promise<number> {
  const workspace = new Workspace()
  try {
    const began = performance.now()
    const { code, stderr } = await program.run(['--print', PROMPT, ...workspace.runFlags])
    if (code !== 0) throw new Error(`the scripted turn fails without a kill (${code}): ${stderr}`)
    return performance.now() - began
  } finally {
    workspace.remove()
  }
}
