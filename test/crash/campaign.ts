import { type CrashRun, type Flags, type KillPlan, crashAndResume } from './crash-run.ts'
import { ProgramCopy } from './program-copy.ts'
import { type Random, seededRandom } from './random.ts'
import { TeamWorkspace } from './team-workspace.ts'
import { type Findings, verifyRun } from './verify-run.ts'
import { verifyTeam } from './verify-team.ts'
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

/** What is killed and resumed. */
export interface Scene {
  open(program: ProgramCopy): Flags & { verify(run: CrashRun): Promise<Findings>; remove(): void }
  /** The program alone, where its commands end with it. */
  killed: 'with_commands' | 'alone'
}

const oneTurn: Scene = {
  killed: 'with_commands',
  open(program) {
    const workspace = new Workspace()
    const { runFlags, dataFlags } = workspace
    const verify = (run: CrashRun) => verifyRun(program, workspace, run)
    return { runFlags, dataFlags, verify, remove: () => workspace.remove() }
  },
}

/** A team of three with copies, evidence, votes and a presentation that writes. */
export const teamRun = (killed: Scene['killed']): Scene => ({
  killed,
  open(program) {
    const workspace = new TeamWorkspace()
    const { runFlags, dataFlags } = workspace
    const verify = (run: CrashRun) => verifyTeam(program, workspace, run)
    return { runFlags, dataFlags, verify, remove: () => workspace.remove() }
  },
})

/**
 * Runs scripts in the built program and kills them at random moments, `kills` times in all. Which moments is
 * decided by the seed; where the program is then also depends on the machine.
 */
export async function runCampaign(
  options: { kills: number; seed: number },
  scene: Scene = oneTurn,
): Promise<Campaign> {
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
    const kills = new Kills(options, await measure(program, scene))
    const worker = async () => {
      while (kills.left > 0) await crashOnce(program, scene, kills, total)
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

async function crashOnce(
  program: ProgramCopy,
  { open, killed }: Scene,
  kills: KillPlan,
  total: Campaign,
): Promise<void> {
  const workspace = open(program)
  try {
    const run = await crashAndResume(program, workspace, kills, killed)
    const { lost, interrupted, repeated, problems } = await workspace.verify(run)
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

/** How long it takes here undisturbed, in milliseconds. */
async function measure(program: ProgramCopy, { open }: Scene): Promise<number> {
  const workspace = open(program)
  try {
    const began = performance.now()
    const { code, stderr } = await program.run(['--print', PROMPT, ...workspace.runFlags])
    if (code !== 0) throw new Error(`the script fails without a kill (${code}): ${stderr}`)
    return performance.now() - began
  } finally {
    workspace.remove()
  }
}
