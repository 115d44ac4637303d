import { runCampaign, teamRun } from './campaign.ts'

// sh scripts/node.sh test/crash/kill-resume.ts [team] [kills] [seed]
// Kills the built program (npm run build) this many times while it works, and checks that nothing it had acknowledged
// is lost, nothing it had done is done again, and every turn comes to its end. `team`: a run of three agents instead.

const team = process.argv[2] === 'team'
const [kills = '1000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(team ? 3 : 2)
const { problems, seconds, ...counts } = await runCampaign(
  { kills: Number(kills), seed: Number(seed) },
  team ? teamRun('alone') : undefined,
)

for (const problem of problems) console.error(problem)
const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
console.log(`${parts.join(', ')}, seconds ${seconds.toFixed(0)}, seed ${seed}`)
process.exitCode = problems.length > 0 ? 1 : 0
